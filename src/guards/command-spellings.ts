/**
 * How the programs that people block are spelt in more than one way. Only what is the same to the program stands here.
 * Sources: each tool's own help or manual in the version of 2025, GNU coreutils 9, Docker 27, kubectl 1.31, Terraform 1.9,
 * npm 10, pnpm 10, bun 1.3, gh 2.83, cargo 1.80.
 */

/** A program that is another one under a second name, or one of its commands. */
export const programsAs: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    py: ['python'],
    nodejs: ['node'],
    pip3: ['pip'],
    gmake: ['make'],
    pn: ['pnpm'],
    yarnpkg: ['yarn'],
    source: ['.'],
    npx: ['npm', 'exec'],
    pnpx: ['pnpm', 'dlx'],
    bunx: ['bun', 'x'],
    uvx: ['uv', 'tool', 'run'],
    'docker-compose': ['docker', 'compose'],
    'podman-compose': ['podman', 'compose'],
  }),
);

/** Commands of programs by their other names: `name:other,other`, the words of each joined with `+`. */
const commandsAs: Readonly<Record<string, string>> = {
  npm: 'install:i,in,ins,add uninstall:un,unlink,remove,rm,r run:run-script,rum,urn exec:x update:up,upgrade test:t,tst',
  pnpm: 'install:i add:a run:run-script remove:rm,uninstall,un update:up,upgrade',
  bun: 'install:i add:a remove:rm,uninstall',
  git: 'add:stage',
  cargo: 'build:b run:r test:t check:c remove:rm',
  docker:
    'rm:container+rm rmi:image+rm,image+remove run:container+run exec:container+exec kill:container+kill stop:container+stop push:image+push pull:image+pull build:image+build,buildx+build volume+rm:volume+remove network+rm:network+remove',
  helm: 'uninstall:un,del,delete',
  gh: 'pr+create:pr+new issue+create:issue+new release+create:release+new repo+create:repo+new gist+create:gist+new',
};

/** The other names of a program's commands: their words → the words of the name that patterns are compared by. */
export function commandAliases(program: string): ReadonlyMap<string, readonly string[]> {
  const row = Object.hasOwn(commandsAs, program) ? commandsAs[program] : undefined;
  return new Map(
    (row?.split(' ') ?? []).flatMap((part) => {
      const [name = '', others = ''] = part.split(':');
      return others.split(',').map((other) => [other.replaceAll('+', ' '), name.split('+')] as const);
    }),
  );
}

/** Options that take their value from the next word. What is not listed here may take one. */
const valueOptions: Readonly<Record<string, string>> = {
  kubectl:
    '-n --namespace --context --cluster --user --kubeconfig -s --server --as --as-group --token --request-timeout --cache-dir -l --selector --field-selector -o --output -c --container -f --filename -k --kustomize --grace-period --timeout --sort-by -v',
  helm: '-n --namespace --kube-context --kubeconfig -f --values --set --set-string --set-file --version --timeout --repo',
  make: '-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --assume-new --eval',
  docker:
    '-H --host --context --config -l --log-level -f --file -p --project-name --project-directory --profile --env-file --name -e --env -v --volume -w --workdir --network --filter --format -u --user -t --tag --label --platform',
  terraform: '-var -var-file -target -replace -state -state-out -backup -out -parallelism -lock-timeout -chdir -config',
  terragrunt: '-var -var-file -target --terragrunt-working-dir --working-dir --terragrunt-config',
  npm: '--prefix -C -w --workspace --registry --tag --otp --access --loglevel --userconfig --cache --omit --include -c --call --package',
  pnpm: '-C --dir --prefix -F --filter --registry --tag --otp --reporter --loglevel',
  yarn: '--cwd --registry --tag --otp --cache-folder --modules-folder',
  bun: '--cwd -F --filter -c --config --env-file -r --preload --registry --tag --otp',
  gh: '-R --repo -t --title -b --body -F --body-file -B --base -H --head -l --label -a --assignee -r --reviewer -m --milestone --hostname -n --notes --notes-file --target --jq -q',
  gcloud:
    '--project --account --configuration --region --zone --filter --format --impersonate-service-account --cluster --billing-project --verbosity',
  aws: '--profile --region --output --query --endpoint-url --cli-input-json --color --ca-bundle',
  az: '-g --resource-group -n --name --subscription -o --output --query -l --location',
  prisma: '--schema --config',
  'drizzle-kit': '--config --schema --out --dialect',
  supabase: '--db-url --project-ref --workdir --profile -p --password',
  wrangler: '-c --config -e --env --name --cwd',
  vercel: '--cwd -A --local-config -Q --global-config -S --scope -T --team -t --token -e --env',
  netlify: '-s --site -d --dir -m --message -a --auth --filter',
  firebase: '-P --project --only --except -m --message --config --account',
  heroku: '-a --app -r --remote',
  flyctl: '-a --app -c --config -t --access-token -i --image --org',
  fly: '-a --app -c --config -t --access-token -i --image --org',
  cargo:
    '-p --package --manifest-path --target --target-dir -F --features --profile -j --jobs --color --config -C --bin --example --test --token --index --registry -Z',
  go: '-C -tags -run -o -mod -modfile -ldflags -gcflags',
  gradle:
    '-p --project-dir -b --build-file -c --settings-file -I --init-script -x --exclude-task -g --gradle-user-home --tests --console',
  gradlew:
    '-p --project-dir -b --build-file -c --settings-file -I --init-script -x --exclude-task -g --gradle-user-home --tests --console',
  mvn: '-f --file -pl --projects -P --activate-profiles -s --settings -rf --resume-from -l --log-file -T --threads -D',
  ninja: '-C -f -t -j -k -l -d -w',
  ant: '-f -file -buildfile -propertyfile -logfile -l -lib',
  rake: '-f --rakefile -C --directory -I --libdir -r --require -R --rakelibdir',
  turbo: '-F --filter --concurrency --cwd --output-logs --env-mode --team --token',
  pulumi: '-C --cwd -s --stack -m --message --config-file -c --config -t --target',
  alembic: '-c --config -n --name -x',
  'ansible-playbook': '-i --inventory -l --limit -t --tags -e --extra-vars -u --user --vault-password-file -f --forks',
  systemctl: '-H --host -M --machine -t --type -s --signal -p --property --state',
  psql: '-h --host -p --port -U --username -d --dbname -f --file -c --command -v --set -o --output',
  'redis-cli': '-h -p -s -a -u -n --user --pass',
  kill: '-s --signal -n',
  killall: '-s --signal -u --user',
  pkill: '-s --session -u --euid -U --uid -P --parent -t --terminal -g --pgroup --signal',
};

export function takesValue(program: string, option: string): boolean {
  return valueSets(program).has(option);
}

const read = new Map<string, ReadonlySet<string>>();

function valueSets(program: string): ReadonlySet<string> {
  const known = read.get(program);
  if (known) return known;
  const options = Object.hasOwn(valueOptions, program) ? valueOptions[program] : undefined;
  const set = new Set(options?.split(' '));
  read.set(program, set);
  return set;
}

/**
 * Options that are the same: `a|b|c`, several with blanks between them; `name=value` is also `name value`. A row is for a
 * program, or for a program and the command that its words must begin with.
 */
const sameOptions: Readonly<Record<string, string>> = {
  rm: '-r|-R|--recursive -f|--force -d|--dir',
  cp: '-r|-R|--recursive -f|--force -a|--archive',
  mv: '-f|--force',
  ln: '-s|--symbolic -f|--force',
  chmod: '-R|--recursive',
  chown: '-R|--recursive',
  rsync: '--delete|--del -r|--recursive -a|--archive',
  sed: '-i|--in-place',
  tar: '-x|--extract|--get -c|--create -f|--file',
  kill: '-9|-KILL|-SIGKILL|-s=9|-s=KILL|-s=SIGKILL|-n=9|--signal=9|--signal=KILL|--signal=SIGKILL',
  pkill: '-9|-KILL|-SIGKILL|--signal=9|--signal=KILL|--signal=SIGKILL -f|--full',
  killall: '-9|-KILL|-SIGKILL|-s=9|-s=KILL|-s=SIGKILL|--signal=9|--signal=KILL|--signal=SIGKILL',
  jest: '-u|--updateSnapshot',
  vitest: '-u|--update',
  playwright: '-u|--update-snapshots',
  prettier: '-w|--write',
  npm: '-g|--global|--location=global -D|--save-dev -f|--force',
  pnpm: '-g|--global -D|--save-dev -f|--force -r|--recursive',
  yarn: '-D|--dev -f|--force',
  bun: '-g|--global -d|-D|--dev -f|--force',
  pip: '-U|--upgrade -r|--requirement -e|--editable -y|--yes',
  cargo: '-r|--release',
  'docker compose': '-v|--volumes -f|--force -d|--detach -t|--timeout -s|--stop',
  'docker rm': '-f|--force -v|--volumes',
  'docker rmi': '-f|--force',
  'docker run': '-d|--detach -i|--interactive -t|--tty',
  'docker exec': '-d|--detach -i|--interactive -t|--tty',
  'docker volume': '-f|--force -a|--all',
  'docker image': '-f|--force -a|--all',
  'docker system': '-f|--force -a|--all',
  kubectl: '-A|--all-namespaces -f|--filename -R|--recursive -k|--kustomize',
  'gh pr': '-s|--squash -m|--merge -r|--rebase -d|--delete-branch',
  'gh release': '-d|--draft -p|--prerelease',
  'gh repo': '-y|--yes|--confirm',
  psql: '-c|--command -f|--file',
  systemctl: '-f|--force',
  vercel: '--prod|--production|--target=production',
  netlify: '-p|--prod',
};

/** The spellings of an option, itself among them. `words` begin with the program. */
export function spellingsOf(option: string, words: readonly string[]): readonly string[] {
  const [program = '', command = ''] = words;
  for (const key of [`${program} ${command}`, program]) {
    const row = Object.hasOwn(sameOptions, key) ? sameOptions[key] : undefined;
    const same = row
      ?.split(' ')
      .map((group) => group.split('|'))
      .find((group) => group.includes(option));
    if (same) return same;
  }
  return [option];
}

/** Programs whose long options have one dash and may as well have two (Go's flag package). */
export const singleDashed: ReadonlySet<string> = new Set(['terraform', 'tofu', 'packer', 'vault', 'nomad', 'consul']);

/** Programs whose words are a list of things to do, in any order and number. `NAME=value` is a setting between them. */
const listPrograms: ReadonlySet<string> = new Set('make rake mvn mvnw gradle gradlew ant ninja gulp grunt'.split(' '));

/** Whether a program takes a list of tasks, and a pattern names one of them. Of Rails only those with a colon are such. */
export const isTaskList = (program: string, [task = '']: readonly string[]): boolean =>
  listPrograms.has(program) || (program === 'rails' && task.includes(':'));

/** Programs whose commands may be written in capitals or not. */
export const caselessPrograms: ReadonlySet<string> = new Set(['redis-cli', 'valkey-cli']);

/**
 * Options by which a program only says what it would do, or looks for mistakes, for a program or one of its commands. One that is not listed may
 * not know such an option, or hand it on to what it starts.
 */
const dryOptions: Readonly<Record<string, string>> = {
  'npm publish': '--dry-run',
  'npm install': '--dry-run',
  'npm uninstall': '--dry-run',
  'npm update': '--dry-run',
  'npm ci': '--dry-run',
  'npm prune': '--dry-run',
  'pnpm publish': '--dry-run',
  'yarn npm': '--dry-run',
  'bun publish': '--dry-run',
  'bun install': '--dry-run',
  'bun add': '--dry-run',
  'bun remove': '--dry-run',
  'cargo publish': '--dry-run -n',
  'cargo update': '--dry-run -n',
  'cargo add': '--dry-run -n',
  'cargo remove': '--dry-run -n',
  'uv sync': '--dry-run',
  'uv lock': '--dry-run',
  'uv publish': '--dry-run',
  'poetry publish': '--dry-run',
  'pip install': '--dry-run',
  git: '--dry-run',
  'git clean': '--dry-run -n',
  'git push': '--dry-run -n',
  'git add': '--dry-run -n',
  'git rm': '--dry-run -n',
  'git mv': '--dry-run -n',
  kubectl: '--dry-run',
  oc: '--dry-run',
  helm: '--dry-run',
  node: '--check -c',
  bash: '-n',
  sh: '-n',
  ruby: '-c',
  php: '-l',
  make: '-n --dry-run --just-print --recon',
  rake: '-n --dry-run',
  gradle: '-m --dry-run',
  gradlew: '-m --dry-run',
  rsync: '-n --dry-run',
  task: '-n --dry',
  aws: '--dry-run --dryrun',
  'wrangler deploy': '--dry-run',
  'semantic-release': '-d --dry-run',
  'release-it': '--dry-run',
  'docker compose': '--dry-run',
  'ansible-playbook': '-C --check',
};

/** The options by which a call is a dry run; `words` begin with the program. */
export function dryOptionsOf([program = '', command = '']: readonly string[]): readonly string[] {
  for (const key of [`${program} ${command}`, program])
    if (Object.hasOwn(dryOptions, key)) return dryOptions[key]?.split(' ') ?? [];
  return [];
}
