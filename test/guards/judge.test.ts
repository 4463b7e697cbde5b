import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allow, type Decision, textCap } from '../../src/decision.ts';
import type { ReviewState } from '../../src/facts.ts';
import { type DecideOptions, decide, judgeCommands } from '../../src/guards/judge.ts';
import { ConfigError } from '../../src/policy/config-error.ts';
import type { Policy } from '../../src/policy/policy.ts';
import { fakeFacts, judgeFiles, judgeScript, policyOf, type World } from './support.ts';

const agent: DecideOptions = { asks: true, rewrites: true };
const plain: DecideOptions = { asks: false, rewrites: false };

const strict = `
[package_managers]
javascript = "bun"
[git]
protected_branch = "main"
block_force_push = true
block_hook_skips = true
[commands]
blocked = ["prisma db push"]
[files]
protected = [".env*", "bun.lock"]
`;

const answer = (command: string, toml = strict, options = agent, world: World = {}): Decision =>
  decide(judgeScript(command, toml, world), options);
const reasonOf = (decision: Decision): string => ('reason' in decision ? decision.reason : '');

describe('one call, one answer', () => {
  it('says nothing of what breaks no rule', () => expect(answer('git status')).toBe(allow));

  it('holds every breach, in the order of the guards', () => {
    const decision = answer('npx prisma db push; rm bun.lock; git push -f origin main');
    expect(decision.kind).toBe('deny');
    const rules = [...reasonOf(decision).matchAll(/breaks the rule ([\w-]+)/g)].map((match) => match[1]);
    expect(rules).toEqual(['package-manager', 'protected-branch', 'force-push', 'blocked-command', 'protected-file']);
  });

  it('holds each breach once', () => {
    const reason = reasonOf(answer('npm ci; npm ci; npm ci'));
    expect(reason.split('breaks the rule')).toHaveLength(2);
  });

  it('names every file of a call that breaks a rule', () => {
    const reason = reasonOf(decide(judgeFiles(['.env', '/repo/api/.env', 'bun.lock', 'src/a.ts'], strict), agent));
    expect(reason.split('\n\n')).toEqual([
      expect.stringMatching(/^`\.env` breaks the rule protected-file: /),
      expect.stringMatching(/^`api\/\.env` breaks the rule protected-file: /),
      expect.stringMatching(/^`bun\.lock` breaks the rule protected-file: /),
    ]);
  });

  it('puts many of them together', () => {
    const reason = reasonOf(decide(judgeFiles(['.env', 'a/.env', 'b/.env', 'c/.env', 'bun.lock'], strict), agent));
    expect(reason).toContain('`.env`, `a/.env`, `b/.env` and `c/.env` break the rule protected-file: ');
    expect(reason).toContain('`bun.lock` breaks the rule protected-file: ');
  });

  it('stays under the cap', () => {
    const files = Array.from({ length: 400 }, (_, index) => `packages/some-rather-long-name-${index}/.env`);
    const reason = reasonOf(decide(judgeFiles(files, strict), agent));
    expect(reason.length).toBeLessThanOrEqual(textCap);
    expect(reason).toContain('[cut');
  });

  it('is the same for an argument list', () => {
    const facts = fakeFacts(strict);
    const judgement = judgeCommands([{ argv: ['bash', '-lc', 'npm install zod'] }], { cwd: '/repo', facts });
    expect(reasonOf(decide(judgement, agent))).toContain('`bun add zod`');
  });

  it('covers all commands of a call', () => {
    const facts = fakeFacts(strict);
    const judgement = judgeCommands([{ script: 'npm ci' }, { script: 'git push -f' }], { cwd: '/repo', facts });
    expect(judgement.breaches.map(({ rule }) => rule)).toEqual(['package-manager', 'force-push']);
  });
});

describe('folders', () => {
  const policies = { '/other': '[package_managers]\njavascript = "npm"', '/repo/vendor': null };

  it.each<[string, string | null]>([
    ['npm ci', 'bun'],
    ['cd src && npm ci', 'bun'],
    ['cd /other && npm ci', null],
    ['cd /other && bun install', 'npm'],
    ['cd /tmp && npm ci', null],
    ['cd vendor && npm ci', null],
    ['(cd /tmp) && npm ci', 'bun'],
    ['cd "$DIR" && npm ci', 'bun'],
    ['ssh host npm ci', null],
  ])('%s is judged by the policy of %s', (command, manager) => {
    const [breach] = judgeScript(command, strict, { policies }).breaches;
    expect(breach?.problem ?? null).toBe(manager === null ? null : `this repo uses ${manager} for JavaScript`);
  });
});

describe('[actions]', () => {
  const npm = (action: string) => `${strict}\n[actions]\npackage-manager = "${action}"`;

  it.each<[string, DecideOptions, Decision['kind']]>([
    ['deny', agent, 'deny'],
    ['ask', agent, 'ask'],
    ['ask', plain, 'deny'],
    ['warn', agent, 'allow'],
    ['off', agent, 'allow'],
    ['rewrite', agent, 'rewrite'],
    ['rewrite', plain, 'deny'],
  ])('%s, where the agent has %o → %s', (action, options, kind) => {
    expect(answer('npm install zod', npm(action), options).kind).toBe(kind);
  });

  it('warn tells the person what was broken', () => {
    expect(answer('npm install zod', npm('warn'))).toEqual({
      kind: 'allow',
      notice:
        'cagr: `npm install zod` breaks the rule package-manager: this repo uses bun for JavaScript. It was let through because `[actions]` only warns.',
    });
  });

  it('default = "warn" stops nothing', () => {
    const decision = answer('npm ci; git push -f origin main', `${strict}\n[actions]\ndefault = "warn"`);
    expect(decision).toMatchObject({ kind: 'allow', notice: expect.stringContaining('rule force-push') as unknown });
  });

  it('a rule that warns stands aside for one that denies', () => {
    const decision = answer('npm ci && git push -f', npm('warn'));
    expect(decision).not.toHaveProperty('notice');
    expect(reasonOf(decision)).toContain('force-push');
    expect(reasonOf(decision)).not.toContain('package-manager');
  });

  it('a rule that asks is told with one that denies', () => {
    const decision = answer('npm ci && git push -f', npm('ask'));
    expect(decision.kind).toBe('deny');
    expect(reasonOf(decision)).toContain('package-manager');
  });

  it.each<[string, string | null]>([
    ['npm install zod', 'bun add zod'],
    ['  npm ci  ', 'bun install --frozen-lockfile'],
    ['npm ci && npm test', null],
    ['npm ci; git status', null],
    ['CI=1 npm ci', null],
    ['sudo npm ci', null],
    ['npm ci > log.txt', null],
    ['npm install --strange zod', null],
    ['npm install "$X"', null],
    ['npm rebuild', null],
  ])('rewrite %s → %s', (command, rewritten) => {
    const decision = answer(command, npm('rewrite'));
    if (rewritten === null) expect(decision.kind).toBe('deny');
    else {
      expect(decision).toMatchObject({ kind: 'rewrite', command: rewritten });
      expect(reasonOf(decision)).toContain(`: this repo uses bun for JavaScript. \`${rewritten}\` runs in its place.`);
    }
  });
});

describe('errors', () => {
  const broken = () => {
    throw new Error('the branch is a riddle');
  };
  const world: World = { facts: { exists: broken, realPath: broken } };
  const notice = 'cagr is off for this call because of an error. the branch is a riddle';

  it('let the call through with the notice', () => {
    expect(answer('echo x > .env', strict, agent, world)).toEqual({ kind: 'allow', notice });
  });

  it('stop no other guard, and a deny carries no notice', () => {
    const decision = answer('git push -f; echo x > .env', strict, agent, world);
    expect(decision.kind).toBe('deny');
    expect(decision).not.toHaveProperty('notice');
    expect(reasonOf(decision)).toContain('force-push');
  });

  it('deny where [on_error] says so, and say why', () => {
    const decision = answer('echo x > .env', `${strict}\n[on_error]\nprotected-file = "deny"`, agent, world);
    expect(decision).toEqual({
      kind: 'deny',
      reason:
        'The rule protected-file could not be judged because of an error, and `[on_error]` denies the call then. the branch is a riddle\nAsk the person to run `cagr doctor`.',
    });
  });

  describe('in reading the command', () => {
    const closed = `${strict}\n[on_error]\nprotected-branch = "deny"`;
    const deep = `${'{ '.repeat(300)}ls; ${'}; '.repeat(300)}`;

    it('are the shell’s to tell where it can’t read the command either', () => {
      expect(answer('echo "never closed')).toBe(allow);
      expect(answer('echo "never closed', closed).kind).toBe('deny');
    });

    it('carry the notice where a limit of cagr’s own is met', () => {
      expect(answer(deep)).toEqual({
        kind: 'allow',
        notice: expect.stringContaining('cagr is off for this call') as unknown,
      });
      expect(reasonOf(answer(deep, closed))).toContain('The rule protected-branch could not be judged');
    });
  });

  it('of another folder’s config let that folder go', () => {
    const mistake = { file: 'cagr.toml', line: 1, column: 1, key: 'x', problem: 'unknown key `x`', fix: 'take it out' };
    const policy = (dir: string): Policy | undefined => {
      if (dir.startsWith('/repo')) return policyOf(strict);
      throw new ConfigError([mistake]);
    };
    const facts = { policy };
    expect(answer('cd /other && npm ci', strict, agent, { facts })).toEqual({
      kind: 'allow',
      notice: 'cagr is off for this call because of an error. cagr.toml:1:1: unknown key `x`; take it out',
    });
    expect(answer('npm ci && cd /other && npm ci', strict, agent, { facts }).kind).toBe('deny');
  });
});

describe('a denied call that is tried again', () => {
  const counted = () => {
    const counts = new Map<string, number>();
    return (key: string) => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return counts.get(key) ?? 0;
    };
  };
  const advice = 'Stop trying it, and ask the person how to go on.';

  it('gets the advice to stop and to ask', () => {
    const options = { ...agent, denials: counted() };
    expect(reasonOf(answer('npm ci', strict, options))).not.toContain(advice);
    expect(reasonOf(answer('npm test', strict, options))).not.toContain(advice);
    expect(reasonOf(answer('npm ci', strict, options))).toContain(advice);
    expect(reasonOf(answer('cd src && npm ci', strict, options))).toContain(advice);
  });

  it('gets no such advice when it is denied for another reason', () => {
    const options = { ...agent, denials: counted() };
    const open = (review: Partial<ReviewState>) =>
      reasonOf(decide(judgeScript('gh pr create', 'review.required = true', { review }), options));
    expect(open({ kind: 'none', uncommitted: ['src/a.ts', 'notes.txt'] })).not.toContain(advice);
    expect(open({ kind: 'none' })).not.toContain(advice);
    expect(open({ kind: 'done', open: [{ id: 'a1', title: 'No limit' }] })).not.toContain(advice);
    expect(open({ kind: 'none' })).toContain(advice);
  });

  it('gets no such advice on another commit', () => {
    const options = { ...agent, denials: counted() };
    const on = (head: string) =>
      reasonOf(
        decide(judgeScript('gh pr create', 'review.required = true', { head, review: { kind: 'none' } }), options),
      );
    expect(on('a'.repeat(40))).not.toContain(advice);
    expect(on('b'.repeat(40))).not.toContain(advice);
    expect(on('b'.repeat(40))).toContain(advice);
  });

  it('gets no such advice for what one command does in several rounds', () => {
    const options = { ...agent, denials: counted() };
    const loop = 'for p in zod lodash; do npm i $p; done';
    expect(reasonOf(answer(loop, strict, options))).not.toContain(advice);
    expect(reasonOf(answer(loop, strict, options))).toContain(advice);
  });

  it('is counted only where it is denied', () => {
    const keys: string[] = [];
    const denials = (key: string) => keys.push(key);
    answer('git status', strict, { ...agent, denials });
    answer('npm ci', `${strict}\n[actions]\ndefault = "warn"`, { ...agent, denials });
    expect(keys).toEqual([]);
  });
});

describe('whatever the way of writing', () => {
  const breaking: readonly (readonly [command: string, rule: string])[] = [
    ['npm install zod', 'package-manager'],
    ['git push origin main', 'protected-branch'],
    ['git push --force', 'force-push'],
    ['git commit --no-verify -m x', 'hook-skip'],
    ['prisma db push', 'blocked-command'],
    ['rm bun.lock', 'protected-file'],
    ['cp x cagr.toml', 'self-protection'],
  ];
  const ways: readonly (readonly [name: string, write: (command: string) => string])[] = [
    ['after other commands', (command) => `git status && ${command}`],
    ['in a pipe', (command) => `${command} 2>&1 | tail -5`],
    ['in a subshell', (command) => `(cd src; cd ..; ${command})`],
    ['in a shell', (command) => `bash -lc '${command}'`],
    ['in a shell in a shell', (command) => `sh -c "bash -c '${command}'"`],
    ['behind sudo and env', (command) => `sudo -E env A=1 ${command}`],
    ['with a limit', (command) => `timeout 60 ${command}`],
    ['over lines', (command) => `\n  ${command.replace(' ', ' \\\n    ')}\n`],
    ['in a condition', (command) => `if true; then ${command}; fi`],
    ['in a substitution', (command) => `echo "$(${command})"`],
    ['in a function', (command) => `f() { ${command}; }; f`],
    ['with quotes', (command) => command.replace(/^(\w+)/, '"$1"')],
  ];
  it.each(breaking.flatMap(([command, rule]) => ways.map(([name, write]) => [rule, name, write(command)] as const)))(
    '%s holds %s: %s',
    (rule, _name, script) => {
      expect(judgeScript(script, strict).breaches.map((breach) => breach.rule)).toContain(rule);
    },
  );

  const data: readonly (readonly [name: string, write: (command: string) => string])[] = [
    ['said', (command) => `echo '${command}'`],
    ['looked for', (command) => `grep -rn "${command}" docs`],
    ['in a commit message', (command) => `git commit -m "stop to ${command}"`],
    ['in a comment', (command) => `ls # ${command}`],
    ['written to a file', (command) => `cat > notes.md <<'EOF'\n${command}\nEOF`],
    ['in a variable', (command) => `TEXT='${command}'; echo "$TEXT"`],
    ['on another host', (command) => `ssh host '${command}'`],
  ];
  it.each(breaking.flatMap(([command]) => data.map(([name, write]) => [name, write(command)] as const)))(
    'text is free, %s: %s',
    (_name, script) => expect(judgeScript(script, strict).breaches).toEqual([]),
  );

  it('no command makes a guard fail', () => {
    const word = fc.oneof(
      fc.constantFrom('npm', 'npx', 'yarn', 'uv', 'pip', 'gh', 'pr', 'create', 'api', 'git', 'push', 'cagr', 'install'),
      fc.constantFrom(
        '-b',
        '--body',
        '-f',
        '--',
        '-',
        '-abc',
        '--x=y',
        '"$X"',
        '$(date)',
        '&&',
        ';',
        '|',
        '>',
        'a/../.env',
      ),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        const { failures } = judgeScript(
          words.join(' '),
          `${strict}\n[pull_request]\nheadings = ["Risk"]\nagents_may_approve = false`,
        );
        expect(failures).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
