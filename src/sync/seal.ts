import { hashName } from '../hash.ts';

const words = '# cagr knows by this that nobody changed the file: ';

/** The line as it stands in a script, wherever somebody put something behind it. */
const sealLine = /^# cagr knows by this that nobody changed the file: ([0-9a-f]+)\n?/m;

/** A script with a last line by which {@link isChanged} tells what somebody else wrote into it. */
export const sealed = (text: string): string => `${text}${words}${sealOf(text)}\n`;

/** Whether a script of cagr's holds anything that cagr did not write, of whatever version. Line ends count for nothing. */
export function isChanged(text: string): boolean {
  const plain = text.replaceAll('\r\n', '\n');
  return sealLine.exec(plain)?.[1] !== sealOf(plain.replace(sealLine, ''));
}

const sealOf = (text: string): string => hashName(text).slice(0, 13);
