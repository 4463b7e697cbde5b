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
 * Text that somebody else may have written, fit for a terminal: what would move its cursor, set its title or turn the order
 * of letters around is taken out. Colours stay, also those of cagr's own.
 */
export function forTerminal(text: string): string {
  return text.replace(strangers, '');
}

/**
 * ECMA-48: CSI sequences, OSC/DCS/APC/PM strings up to BEL or ST (they hold no escape themselves), and the two-character
 * escapes; CSI and strings in their one-character form too. Nothing in it can be matched in two ways, so it is linear.
 */
const escapes =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]/g;

/** Also the signs that overrule the direction of letters (UAX #9), with which a text can show what it does not say. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The same without the escape of a colour. */
const strangers =
  /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\u001b(?!\[[\d;]*m)/g;

function needsWork(output: string): boolean {
  for (let index = 0; index < output.length; index += 1) {
    const unit = output.charCodeAt(index);
    if ((unit < 0x20 && unit !== 0x0a && unit !== 0x09) || (unit >= 0x7f && unit <= 0x9f)) return true;
    if ((unit >= 0x2800 && unit <= 0x28ff) || (unit >= 0x202a && unit <= 0x2069)) return true;
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
