// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { expect, it } from 'vitest';
import { read } from './world.ts';

/** The pushes in scripts that only zsh can read, and in ones that no shell can. */
const pushes = (script: string): number =>
  read(script).filter(({ argv }) => argv[0] === 'git' && argv[1] === 'push').length;

it.each<[script: string, pushes: number]>([
  ['rm -f *.log(N)\ngit push -f', 1],
  ['rm -f *.log(N); git push -f', 1],
  ['for f in *.ts(N); do echo $f; done\ngit push -f', 1],
  ['for f in *.ts(N); do git push -f; done', 1],
  ['ls -d */(N) ; git push -f', 1],
  ['[[ -n *.log(#qN) ]] && git push -f', 1],
  ['for f (*.ts) echo $f\nnpm i\ngit push -f', 1],
  ['for b (main) git push origin $b', 1],
  ['foreach b (main) echo $b; end; git push -f', 1],
  ['ls (a|b)*; git push -f', 1],
  ['cat =(echo a); git push -f', 1],
  ['rm *(N); rm *(.); git push; git push -f', 2],
  ["rm *(N); git commit -m 'then git push -f'", 0],
  ['rm *(N); echo "git push -f"', 0],
  ['rm *(N) # git push -f', 0],
  ['rm *(N) git push -f', 0],
  // What stands behind a quote or a bracket that is open is no command.
  ['git commit -m "fix\ngit push -f', 0],
  ["echo 'a\ngit push -f", 0],
  ['echo ${a\ngit push -f', 0],
])('%s', (script, count) => {
  expect(pushes(script)).toBe(count);
});
