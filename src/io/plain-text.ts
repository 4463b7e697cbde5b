/**
 * The text that a person would have been left with on a screen: without colours, cursor movements and window titles, a
 * line that was drawn over (`\r`, backspaces) only as it stood at last, and without lines that show nothing but a spinner
 * or a bar. Line ends become `\n`.
 */
export function plainText(output: string): string {
  if (!needsWork(output)) return output;
  const lines: string[] = [];
  for (const line of output.replace(escapes, '').replaceAll('\r\n', '\n').split('\n')) {
    const last = line.includes('\r') ? lastDrawn(line) : line;
    const shown = last.replace(controls, '');
    if (shown !== line && shown.trim() === '') continue;
    if (isProgress(shown)) continue;
    lines.push(shown);
  }
  return lines.join('\n');
}

/**
 * ECMA-48: CSI sequences, OSC/DCS/APC/PM strings up to BEL or ST (they hold no escape themselves), and the two-character
 * escapes. Nothing in it can be matched in two ways, so it is linear.
 */
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]/g;

const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function needsWork(output: string): boolean {
  for (let index = 0; index < output.length; index += 1) {
    const unit = output.charCodeAt(index);
    if ((unit < 0x20 && unit !== 0x0a && unit !== 0x09) || unit === 0x7f || (unit >= 0x2800 && unit <= 0x28ff))
      return true;
  }
  return false;
}

function lastDrawn(line: string): string {
  const drawn = line.split('\r');
  for (let index = drawn.length - 1; index >= 0; index -= 1) {
    const text = drawn[index];
    if (text !== undefined && text.trim() !== '') return text;
  }
  return '';
}

/** Braille spinners (U+2800 to U+28FF) stand in front of progress lines only. */
function isProgress(line: string): boolean {
  const first = line.trimStart().charCodeAt(0);
  return first >= 0x2800 && first <= 0x28ff;
}
