import type { EditInput } from '../agents/adapter.ts';

const begin = '*** Begin Patch';

const headers = [
  ['*** Add File:', 'add'],
  ['*** Delete File:', 'delete'],
  ['*** Update File:', 'update'],
] as const;

const moveTo = '*** Move to:';

/**
 * The files that a patch in the `apply_patch` format names, in order; of a move both names. The patch may stand alone or
 * inside a heredoc (`apply_patch <<'EOF'`). A line that a hunk adds, removes or keeps is data, even when it looks like a
 * header; a header may be indented where the format expects one. Grammar: the Codex CLI 0.171 patch format.
 */
export function readPatch(text: string): readonly EditInput[] {
  const edits: EditInput[] = [];
  let inside: 'nothing' | 'add' | 'update' = 'nothing';
  const opening = text.indexOf(begin);
  // What stands in front of the line after the opening marker is the heredoc's command.
  let end = opening < 0 ? -1 : opening + begin.length - 1;
  while (end < text.length) {
    const start = end + 1;
    const newline = text.indexOf('\n', start);
    end = newline < 0 ? text.length : newline;
    // Most lines are data, which a patch can have many thousands of: they are passed over as they stand.
    if (inside !== 'nothing' && isHunkLine(text, start, end, inside)) continue;
    const marker = text.slice(start, end).trim();
    if (inside === 'update' && marker.startsWith(moveTo)) {
      moveLast(edits, marker.slice(moveTo.length).trim());
      continue;
    }
    const header = headers.find(([start]) => marker.startsWith(start));
    if (!header) {
      if (marker.startsWith('***')) inside = 'nothing';
      continue;
    }
    const [words, kind] = header;
    const path = marker.slice(words.length).trim();
    inside = kind === 'delete' ? 'nothing' : kind;
    if (path !== '') edits.push({ path, kind });
    else inside = 'nothing';
  }
  return edits;
}

/** Whether a text holds a patch at all. */
export function holdsPatch(text: string): boolean {
  return text.includes(begin) || headers.some(([start]) => text.trimStart().startsWith(start));
}

function isHunkLine(text: string, start: number, end: number, inside: 'add' | 'update'): boolean {
  const first = text[start];
  if (inside === 'add') return first === '+';
  const isEmpty = start >= end || (first === '\r' && start + 1 === end);
  return isEmpty || first === ' ' || first === '+' || first === '-' || first === '@';
}

function moveLast(edits: EditInput[], path: string): void {
  const from = edits.pop();
  if (from) edits.push({ path: from.path, kind: 'move' });
  if (path !== '') edits.push({ path, kind: 'move' });
}
