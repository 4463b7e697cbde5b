// `npm run picture`: writes docs/demo.svg, a picture of a part of the demo, from what the demo really prints. `--check` only
// looks whether it is current.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The steps that the picture shows, by how their line begins in the demo's output. */
const shown = [
  'Claude Code: git push --force origin feat/checkout',
  "Codex: bash -lc 'git switch main && git push'",
  'Claude Code: yarn add lodash',
  'Claude Code: npm install lodash && git push -u origin feat/checkout',
  'Codex: apply_patch wants to edit package-lock.json',
  'anyone: git push origin HEAD:main',
];

const columns = 96;
const [charWidth, lineHeight, margin, top] = [8.43, 21, 24, 52];

/** The lines of a step: who does what, what comes of it, and the words. */
function stepsOf(output) {
  return shown.map((start) => {
    const lines = output.split('\n');
    const from = lines.indexOf(`  ${start}`);
    if (from < 0) throw new Error(`The demo has no step "${start}".`);
    const length = lines.slice(from + 1).findIndex((line) => /^(?: {2}\S.*: |$|\d)/.test(line));
    return lines.slice(from, from + 1 + length);
  });
}

/** Breaks a line at blanks and keeps its indent. */
function wrap(line) {
  const indent = /^ */.exec(line)[0];
  const parts = [];
  for (const word of line.trim().split(' ')) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns - indent.length)
      parts[parts.length - 1] += ` ${word}`;
    else parts.push(word);
  }
  return parts.map((part) => indent + part);
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The picture of a demo's output. */
function pictureOf(output) {
  const rows = stepsOf(output).flatMap((step, index) => [
    ...(index > 0 ? [[]] : []),
    ...step.flatMap((line, at) => {
      if (at === 0) {
        const [, who, what] = /^ *([^:]+: )(.*)$/.exec(line);
        return [
          [
            ['dim', `  ${who}`],
            ['call', what],
          ],
        ];
      }
      const kind = at === 1 ? (/^ *(?:allow|exit 0)/.test(line) ? 'good' : 'bad') : 'text';
      return wrap(line).map((part) => [[kind, part]]);
    }),
  ]);
  const width = Math.ceil((columns + 1) * charWidth + 2 * margin);
  const height = top + rows.length * lineHeight + margin;
  const lines = rows.flatMap((row, index) => {
    if (row.length === 0) return [];
    const spans = row.map(([kind, text]) => `<tspan class="${kind}">${escaped(text)}</tspan>`).join('');
    return [`<text x="${margin}" y="${top + (index + 1) * lineHeight - 6}" xml:space="preserve">${spans}</text>`];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">A terminal: what cagr answers to commands and edits of coding agents</title>
<style>
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #d5d9de; }
.dim { fill: #8b949e; } .call { fill: #fff; font-weight: 600; } .good { fill: #57c46f; } .bad { fill: #f0a35e; }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#14171c"/>
<circle cx="26" cy="24" r="6" fill="#ec6a5e"/><circle cx="46" cy="24" r="6" fill="#f4bf4f"/><circle cx="66" cy="24" r="6" fill="#61c554"/>
${lines.join('\n')}
</svg>
`;
}

/** What the demo prints, off a terminal. */
function runDemo() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, 'demo.mjs')], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The demo ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

const file = path.resolve(import.meta.dirname, '../../docs/demo.svg');
const picture = pictureOf(runDemo());
if (process.argv[2] !== '--check') {
  writeFileSync(file, picture);
  console.log('Wrote docs/demo.svg.');
} else if (readFileSync(file, 'utf8') !== picture) {
  console.log('docs/demo.svg does not show what the demo prints; `npm run picture` writes it anew.');
  process.exitCode = 1;
}
