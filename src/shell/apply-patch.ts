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
  for (const line of patchLines(text)) {
    if (isHunkLine(line, inside)) continue;
    const marker = line.trim();
    if (inside === 'update' && marker.startsWith(moveTo)) {
      moveLast(edits, marker.slice(moveTo.length).trim());
      continue;
    }
    const header = headers.find(([start]) => marker.startsWith(start));
    if (!header) {
      if (marker.startsWith('***')) inside = 'nothing';
      continue;
    }
    const [start, kind] = header;
    const path = marker.slice(start.length).trim();
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

/** From the line after the opening marker on; what stands in front of it is the heredoc's command. */
function* patchLines(text: string): Iterable<string> {
  const opening = text.indexOf(begin);
  let start = opening < 0 ? 0 : opening + begin.length;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    yield text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
  }
}

function isHunkLine(line: string, inside: 'nothing' | 'add' | 'update'): boolean {
  if (inside === 'add') return line.startsWith('+');
  return inside === 'update' && (line === '' || /^[ +\-@]/.test(line));
}

function moveLast(edits: EditInput[], path: string): void {
  const from = edits.pop();
  if (from) edits.push({ path: from.path, kind: 'move' });
  if (path !== '') edits.push({ path, kind: 'move' });
}
