import { describe, expect, it } from 'vitest';
import { mayWriteRarely, rareWriters } from '../../src/shell/rare-writers.ts';
import { writtenPaths } from '../../src/shell/writes.ts';
import { read } from './world.ts';

/** What a script writes, as `kind path`, in the order of its calls. */
const writes = (script: string): readonly string[] =>
  read(script).flatMap((invocation) => writtenPaths(invocation).map(({ kind, path }) => `${kind} ${path}`));

type Row = readonly [script: string, ...writes: string[]];

const check = (rows: readonly Row[]) =>
  it.each(rows.map(([script, ...expected]) => ({ script, expected })))('$script', ({ script, expected }) => {
    expect(writes(script)).toEqual(expected);
  });

describe('redirects', () => {
  check([
    ['echo x > .env', 'write .env'],
    ['echo x >> .env', 'write .env'],
    ['echo x >| .env', 'write .env'],
    ['prog &> log', 'write log'],
    ['prog >& log', 'write log'],
    ['prog 2> log', 'write log'],
    ['prog <> file', 'write file'],
    ['> .env', 'write .env'],
    ['cat > "a b.txt" <<E\nx\nE', 'write a b.txt'],
    ['echo x > ~/.npmrc', 'write /home/dev/.npmrc'],
    ['F=.env; echo x > $F', 'write .env'],
    ['{ echo a; echo b; } > .env', 'write .env'],
    ['for x in a b; do echo $x; done >> .env', 'write .env'],
    ['(echo x) > .env', 'write .env'],
    ["bash -c 'echo x > .env'", 'write .env'],
    ['sudo sh -c "echo x >> .env"', 'write .env'],
    ['git -C web log > out.txt', 'write /repo/out.txt'],
    ['prog > /dev/null 2>&1'],
    ['prog 2> /dev/null'],
    ['prog > /dev/stderr'],
    ['prog < .env'],
    ['prog > "$FILE"'],
    ['prog 2>&1 | grep x'],
    ['echo "x > .env"'],
    ["grep '>' .env"],
    ['[[ a > b ]]'],
    ['(( 1 > 2 ))'],
    ['prog <<< ".env"'],
  ]);
});

describe('programs that write files', () => {
  check([
    ['echo x | tee .env', 'write .env'],
    ['echo x | sudo tee -a .env other', 'write .env', 'write other'],
    ["sed -i 's/a/b/' .env", 'update .env'],
    ["sed -i.bak 's/a/b/' .env other", 'update .env', 'update other'],
    ["sed -i '' 's/a/b/' .env", 'update .env'],
    ["sed -i '' -e 's/a/b/' .env", 'update .env'],
    ["sed -E -i -e 's/a/b/' -e 's/c/d/' .env", 'update .env'],
    ["sed -ni '/x/p' .env", 'update .env'],
    ["sed --in-place=.bak 's/a/b/' .env", 'update .env'],
    ["gsed -i 's/a/b/' .env", 'update .env'],
    ["sed 's/a/b/' .env"],
    ["sed -n '1,5p' .env"],
    ["sed -e 's/-i/x/' .env"],
    ["perl -pi -e 's/a/b/' .env", 'update .env'],
    ["perl -i.bak -pe 's/a/b/' .env", 'update .env'],
    ["perl -ne 'print' .env"],
    ["gawk -i inplace '{print}' .env", 'update .env'],
    ["awk '{print}' .env"],
    ["yq -i '.a = 1' .env.yml", 'update .env.yml'],
    ["yq '.a' .env.yml"],
    ['dd if=/dev/zero of=.env bs=1 count=1', 'write .env'],
    ['touch .env a', 'write .env', 'write a'],
    ['touch -d yesterday -r ref .env', 'write .env'],
    ['truncate -s 0 .env', 'write .env'],
    ['sort -o .env .env', 'write .env'],
    ['sort .env'],
    ['curl -o .env https://example.com/x', 'write .env'],
    ['curl -sSL https://example.com/x --output .env', 'write .env'],
    ['curl -fsSLo .env https://example.com/x', 'write .env'],
    ['curl -O https://example.com/a/bun.lock?x=1', 'write bun.lock'],
    ['curl --output-dir web -O https://example.com/bun.lock', 'write web/bun.lock'],
    ['curl https://example.com/.env'],
    ['wget -O .env https://example.com/x', 'write .env'],
    ['wget -qO- https://example.com/.env'],
    ['chmod 600 .env', 'update .env'],
    ['chmod -R u-w .githooks'],
    ['chmod -R u-x .githooks', 'update .githooks'],
    ['chmod +x .githooks/pre-push'],
    ['chmod 755 .githooks/pre-push'],
    ['chmod 644 .githooks/pre-push', 'update .githooks/pre-push'],
    ['chmod a+rx,u+w x.sh'],
    ['chown dev:dev .env', 'update .env'],
    ['patch .env fix.diff', 'update .env'],
    ["patch -p1 <<'E'\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\nE", 'update .env'],
    ["git apply <<'E'\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\nE", 'update .env'],
    ['git apply fix.diff'],
    ['ed -s .env', 'update .env'],
    ['python3 - > out.txt', 'write out.txt'],
  ]);
});

describe('programs that copy, move, link and delete', () => {
  check([
    ['cp .env.example .env', 'write .env'],
    ['cp -r a b web/', 'write web/a', 'write web/b'],
    ['cp web/.env .', 'write ./.env'],
    ['cp x/bun.lock ..', 'write ../bun.lock'],
    ['cp -t web .env', 'write web/.env'],
    ['cp .env /tmp/backup', 'write /tmp/backup'],
    ['mv .env .env.old', 'move .env', 'write .env.old'],
    ['mv a b .githooks', 'move a', 'move b', 'write .githooks/a', 'write .githooks/b'],
    ['install -m 600 x .env', 'write .env'],
    ['install -d web'],
    ['ln -sf /dev/null .githooks/pre-push', 'write .githooks/pre-push'],
    ['ln -s ../x/.env', 'write .env'],
    ['rsync -a --exclude x a/ web/', 'write web/'],
    ['rsync -a .env host:/srv'],
    ['scp host:/x .env', 'write .env'],
    ['rm .env', 'delete .env'],
    ['rm -rf -- -x .githooks', 'delete -x', 'delete .githooks'],
    ['rm -f .githooks/*', 'delete .githooks/*'],
    ['rmdir web', 'delete web'],
    ['unlink .env', 'delete .env'],
    ['find .githooks -delete', 'delete .githooks'],
    ['find . -name .env -delete'],
    ['find . -type f -exec rm {} +'],
    ['cd web && rm .env', 'delete .env'],
    ['echo .env | xargs rm -f', 'delete .env'],
    ['ls | xargs rm -f'],
    ['rm "$FILE"'],
    ['cat .env'],
    ['ls -la .env'],
    ['diff .env .env.example'],
    ['test -f .env'],
    ['mkdir -p .githooks'],
    ['ssh host rm .env'],
    ['docker exec web rm .env'],
  ]);
});

describe('git', () => {
  check([
    ['git checkout -- .env', 'write .env'],
    ['git checkout HEAD~1 -- .env bun.lock', 'write .env', 'write bun.lock'],
    ['git checkout .', 'write .'],
    ['git checkout main'],
    ['git checkout -b feat/a'],
    ['git restore .env', 'write .env'],
    ['git restore --source HEAD~1 .env', 'write .env'],
    ['git restore --staged .env'],
    ['git restore --staged --worktree .env', 'write .env'],
    ['git rm .env', 'delete .env'],
    ['git rm -rf .githooks', 'delete .githooks'],
    ['git rm --cached .env'],
    ['git rm -n .env'],
    ['git mv .env .env.old', 'move .env', 'write .env.old'],
    ['git -C web rm .env', 'delete .env'],
    ['git add .env'],
    ['git diff .env'],
    ['git show HEAD:.env > .env', 'write .env'],
  ]);
});

describe('apply_patch', () => {
  const patch =
    '*** Begin Patch\n*** Update File: .env\n@@\n-a\n+b\n*** Add File: a b.ts\n+x\n*** Delete File: c\n*** End Patch';
  check([
    [`apply_patch <<'E'\n${patch}\nE`, 'update .env', 'add a b.ts', 'delete c'],
    [`apply_patch '${patch}'`, 'update .env', 'add a b.ts', 'delete c'],
    [`cd web && apply_patch <<'E'\n${patch}\nE`, 'update .env', 'add a b.ts', 'delete c'],
    [`bash -lc "apply_patch <<'E'\n${patch}\nE"`, 'update .env', 'add a b.ts', 'delete c'],
    [`cat <<'E' | apply_patch\n${patch}\nE`, 'update .env', 'add a b.ts', 'delete c'],
    [`cat > notes.md <<'E'\n${patch}\nE`, 'write notes.md'],
    [`echo '${patch}'`],
  ]);
});

it('quotes the command that writes', () => {
  const [invocation] = read('cd web && sudo rm -f .env; ls').filter(({ program }) => program === 'rm');
  expect(invocation && writtenPaths(invocation)).toEqual([{ path: '.env', kind: 'delete', quote: 'sudo rm -f .env' }]);
});

it('looks for a rare program under each name that its tables have', () => {
  const words = ['-o', 'eval', 'cp', 'mv', 's3', 'storage', 'release', 'env'];
  for (const program of rareWriters.get().keys()) {
    expect(mayWriteRarely(program, [program, ...words]), program).toBe(true);
    expect(mayWriteRarely('rm', [program, ...words])).toBe(false);
  }
  expect(mayWriteRarely('gh', ['gh', 'pr', 'view'])).toBe(false);
  expect(mayWriteRarely('bun', ['bun', 'run', 'build'])).toBe(false);
});
