/**
 * A name for a text: 26 hexadecimal digits out of two rounds of a multiplying 53-bit hash. It keeps paths and session
 * ids out of file names at no cost on the hot path; it is no secret and withstands no attacker. A reader that must be
 * sure compares the text itself.
 */
export function hashName(text: string): string {
  return round(text, 0x9e3779b9) + round(text, 0x51ed270b);
}

function round(text: string, seed: number): string {
  let high = 0x6a09e667 ^ seed;
  let low = 0xbb67ae85 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
    high = (high << 13) | (high >>> 19);
    low = (low << 11) | (low >>> 21);
  }
  high = mix(high ^ (low >>> 15) ^ text.length);
  low = mix(low ^ (high >>> 13));
  const wide = (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0);
  return wide.toString(16).padStart(14, '0').slice(-13);
}

/** Lets each bit of the state reach every other one. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return mixed ^ (mixed >>> 16);
}
