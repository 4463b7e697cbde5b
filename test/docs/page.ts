import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const top = path.resolve(import.meta.dirname, '../..');

/** Every page that a person reads: the README and all of docs/. */
export const pageNames: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(top, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => `docs/${name}`),
];

/** A fenced block, or a script in a comment that sets the page's scratch repo up. */
export interface Block {
  readonly language: string;
  /** What stands behind the language: see docs.test.ts. */
  readonly note: string;
  readonly text: string;
  /** Of the fence, from 1. */
  readonly line: number;
  /** The last heading above it. */
  readonly heading: string;
}

export const pageText = (name: string): string => readFileSync(path.join(top, name), 'utf8');

/** The blocks of a page, in order. A comment `<!-- sh … -->` over several lines is a block of the language `hidden`. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let heading = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const start = /^(\s*)(```+|<!-- )(\w+)(?: (.*))?$/.exec(line);
    heading = /^#+ (.*)/.exec(line)?.[1] ?? heading;
    if (!start) continue;
    const [, indent = '', fence = '', language = '', note = ''] = start;
    const isComment = fence === '<!-- ';
    if (isComment && (language !== 'sh' || note !== '')) continue;
    const from = at + 1;
    const isEnd = (each: string) => (isComment ? each === '-->' : each.trim() === fence);
    while (at + 1 < lines.length && !isEnd(lines[at + 1] ?? '')) at += 1;
    at += 1;
    const body = lines.slice(from, at).map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each));
    blocks.push({ language: isComment ? 'hidden' : language, note, text: body.join('\n'), line: from, heading });
  }
  return blocks;
}

/** Links of a page to other files and to headings, without those to the web. */
export function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g)]
    .map(([, link = '', image = '']) => link || image)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, '');
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
