// What stands in the documentation is true: every config loads, every command runs, every example is judged as the page says.
// A page is a story in one scratch repo (page-repo.ts), its blocks are tried in order. The words behind the language say what
// a block is:
//
//   ```toml              a whole config: it loads
//   ```toml cagr.toml    …and from here on it is the config of the repo; so with any block that names a file
//   ```toml part         a part of a config, or another program's: valid TOML
//   ```json              valid JSON
//   ```sh                runs, and ends with 0; `sh exit=1` with 1
//   ```sh no-run: why    can't run here; the `cagr` commands and npm scripts that it names exist
//   ```sh deny           each line is a command that is denied, by the rule that the heading names, under the last config
//   ```sh allow          each line is a command that passes
//   ```text deny-edit    each line is a file that no agent may edit; `allow-edit`: may edit
//   ```text answer       what the agent reads after the first line of the `deny` block above
//   ```console           `$ command` and what it prints; `…` stands for any text, alone on a line for any lines
//   ```text              anything else
//
// The scratch repo is /home/me/shop in what a page shows. A comment `<!-- sh`, a script, `-->` sets something up that readers need not see.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decide, type Judgement, judgeCommands, judgeEdits } from '../../src/guards/judge.ts';
import { createFacts } from '../../src/hook/facts.ts';
import { loadPolicy } from '../../src/policy/load.ts';
import { fixedRuleIds } from '../../src/rules.ts';
import { fillParts } from '../support/docs-parts.ts';
import { commandFlaw } from './named-commands.ts';
import { anchorsOf, type Block, blocksOf, linksOf, pageNames, pageText, top } from './page.ts';
import { PageRepo } from './page-repo.ts';

const isFileName = (note: string) => /^[\w.@-][\w./@-]*\.[\w-]+$/.test(note);

describe.each(pageNames)('%s', (name) => {
  const text = pageText(name);
  const blocks = blocksOf(text);
  const used = blocks.filter(({ language }) => /^(?:sh|hidden|console|toml|text)$/.test(language));

  it('links to files and headings that are there', () => {
    const broken = linksOf(text).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? name : path.posix.join(path.posix.dirname(name), file);
      if (!existsSync(path.join(top, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(pageText(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('has its generated parts as `npm run docs` writes them', () => {
    expect(fillParts(text, top)).toBe(text);
  });

  it('has no JSON that is none', () => {
    for (const { language, text: json, line } of blocks) {
      if (language === 'json') expect(() => void JSON.parse(json), `line ${line}`).not.toThrow();
    }
  });

  if (used.length === 0) return;

  describe('says nothing that is not so', () => {
    let repo: PageRepo;
    let denied: Judgement | undefined;
    beforeAll(() => {
      repo = new PageRepo();
    });
    afterAll(() => repo.remove());

    const judge = (subject: string, note: string): Judgement => {
      const policy = loadPolicy(path.join(repo.repo, 'cagr.toml'));
      const isInside = (folder: string) => folder === repo.repo || folder.startsWith(`${repo.repo}/`);
      // A config that a block has just written; the hooks' own way keeps the first one that it reads.
      const facts = {
        ...createFacts(repo.around),
        policy: (folder: string) => (isInside(folder) ? policy : undefined),
      };
      const at = { cwd: repo.repo, facts };
      return note.endsWith('-edit')
        ? judgeEdits([{ path: subject, kind: 'write' }], at)
        : judgeCommands([{ script: subject }], at);
    };

    const tryJudged = ({ note, text: lines, heading }: Block) => {
      const rule = fixedRuleIds.find((id) => id === heading.replaceAll('`', ''));
      const subjects = lines.split(/(?<!\\)\n/).filter((line) => !/^\s*(?:#.*)?$/.test(line));
      const wrong: string[] = [];
      for (const [index, subject] of subjects.entries()) {
        const judgement = judge(subject, note);
        const { kind } = decide(judgement, { asks: false, rewrites: false });
        const rules = judgement.breaches.map((breach) => breach.rule);
        const isRight = note.startsWith('allow')
          ? kind === 'allow' && rules.length === 0
          : kind === 'deny' && (rule === undefined || rules.includes(rule));
        if (!isRight) wrong.push(`${subject} → ${kind} ${rules.join(', ')}`);
        if (index === 0 && note.startsWith('deny')) denied = judgement;
      }
      expect(wrong).toEqual([]);
      expect(subjects.length).toBeGreaterThan(0);
    };

    const tryBlock = (block: Block) => {
      const { language, note, text: body } = block;
      if (isFileName(note)) repo.write(note, `${body}\n`);
      if (language === 'toml') {
        if (note === '' || note === 'cagr.toml') loadWhole(body);
        else parse(body);
      } else if (language === 'text' && note === 'answer') {
        const decision = denied && decide(denied, { asks: false, rewrites: false });
        expect(decision?.kind === 'deny' ? shown(decision.reason, repo) : decision?.kind).toBe(body);
      } else if (/^(?:deny|allow)(?:-edit)?$/.test(note)) tryJudged(block);
      else if (language === 'console') tryConsole(body, repo);
      else if (language === 'hidden' || language === 'sh') {
        if (/^no-run: \S/.test(note)) {
          expect(body.split('\n').flatMap((line) => commandFlaw(line) ?? [])).toEqual([]);
          return;
        }
        const exit = Number(/^exit=(\d)$/.exec(note)?.[1] ?? (note === '' || isFileName(note) ? 0 : Number.NaN));
        expect(exit, `"${note}" is no note that this test knows`).not.toBeNaN();
        if (isFileName(note)) return;
        const ran = repo.run(body);
        expect(ran.exit, `${ran.stdout}${ran.stderr}`).toBe(exit);
      } else expect(note === '' || isFileName(note), `"${note}" is no note that this test knows`).toBe(true);
    };

    it.each(
      used.map((block): [string, Block] => [`line ${block.line}, ${block.language} ${block.note}`.trim(), block]),
    )('%s', (_, block) => tryBlock(block));
  });
});

function loadWhole(text: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'cagr-docs-'));
  try {
    const file = path.join(folder, 'cagr.toml');
    writeFileSync(file, text);
    loadPolicy(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs each `$ command` and compares what it prints, on stdout and stderr together. */
function tryConsole(text: string, repo: PageRepo): void {
  const parts = text.split(/^\$ /m).slice(1);
  expect(parts.length).toBeGreaterThan(0);
  for (const part of parts) {
    const [command = '', ...lines] = part.trimEnd().split('\n');
    const ran = repo.run(`set +e\n{ ${command}\n} 2>&1`);
    const stdout = shown(ran.stdout, repo);
    const expected = lines.join('\n').trim();
    const pattern = new RegExp(
      `^${expected
        .split(/(?:^|\n)…(?:\n|$)|…/)
        .map(escaped)
        .join('[\\s\\S]*')}$`,
    );
    if (!pattern.test(stdout.trim())) expect(`$ ${command}\n${stdout.trim()}`).toBe(`$ ${command}\n${expected}`);
  }
}

/** A page calls the scratch repo by a name that a reader could have given it. */
const shown = (text: string, { repo }: PageRepo) => text.replaceAll(repo, '/home/me/shop');

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
