// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the rows are shell scripts.
import { describe, expect, it } from 'vitest';
import { read, show, type World } from './world.ts';

const world: World = {
  scripts: {
    dev: 'vite',
    'db:push': 'prisma db push',
    'db:seed': 'prisma db seed',
    'db:reset:hard': 'prisma migrate reset',
  },
};

/** The calls in a script, the wrapper's own one left out, and without the way that led to them. */
function started(script: string): readonly string[] {
  return read(script, world)
    .filter(({ via, elsewhere }) => via.some(({ kind }) => kind !== 'substitution') && !elsewhere)
    .map((invocation) => show({ ...invocation, via: [], stdin: undefined }));
}

/** A command line, and what it starts. */
type Row = readonly [script: string, ...calls: string[]];

const starts = (title: string, rows: readonly Row[]) =>
  describe(title, () => {
    it.each(rows.map(([script, ...calls]) => ({ script, calls })))('$script', ({ script, calls }) => {
      expect(started(script)).toEqual(calls);
    });
  });

starts('environments, secrets and versions', [
  ['aws-vault exec prod -- git push', 'git push'],
  ['aws-vault exec prod -d 1h -- git push', 'git push'],
  ['aws-vault exec --no-session prod git push', 'git push'],
  ['dotenv -e .env.local -- git push', 'git push'],
  ['dotenvx run -f .env.local --overload -- git push', 'git push'],
  ['env-cmd -f .env.local git push', 'git push'],
  ['op run --env-file=.env -- git push', 'git push'],
  ['doppler run -p api -c prd -- git push', 'git push'],
  ['doppler run --command="git fetch && git push"', 'git fetch', 'git push'],
  ['infisical run --env=dev -- git push', 'git push'],
  ['chamber exec service -- git push', 'git push'],
  ['envchain aws git push', 'git push'],
  ["sops exec-env secrets.yaml 'git push'", 'git push'],
  ['teller run -- git push', 'git push'],
  ['railway run git push', 'git push'],
  ['direnv exec . git push', 'git push'],
  ['nix develop .#dev --command git push', 'git push'],
  ['nix run nixpkgs#git -- push', 'git push'],
  ["nix-shell -p git --run 'git push'", 'git push'],
  ['mise exec node@22 -- git push', 'git push'],
  ["mise x -c 'git push'", 'git push'],
  ['asdf exec git push', 'git push'],
  ['nvm exec 20 git push', 'git push'],
  ['nvm exec git push', 'git push'],
  ['fnm exec --using 20 git push', 'git push'],
  ['volta run --node 20 git push', 'git push'],
  ['aws-vault list'],
  ['doppler secrets'],
  ['mise install node@22'],
  ['mise run deploy'],
  ['nix build .#git'],
  ['op item get key'],
  ['direnv allow .'],
]);

starts('agents, sandboxes, debuggers and terminals', [
  ["ssh-agent bash -c 'ssh-add k && git push origin main'", 'ssh-add k', 'git push origin main'],
  ['ssh-agent -t 60 git push', 'git push'],
  ['eval "$(ssh-agent -s)"'],
  ['sshpass -p secret git push -f', 'git push -f'],
  ['sshpass -e git push', 'git push'],
  ['fakeroot -- rm -rf migrations', 'rm -rf migrations'],
  ['proxychains -q git push', 'git push'],
  ['perf stat -r 3 -e cycles -- git push', 'git push'],
  ['perf report'],
  ['gdb -ex run --args git push', 'git push'],
  ['gdb core'],
  ['bwrap --ro-bind / / --dev /dev --unshare-net --chdir /repo git push', 'git push'],
  ['start-stop-daemon --start --exec /usr/bin/git -- push', '/usr/bin/git push'],
  ['start-stop-daemon --stop --exec /usr/bin/git'],
  ["xterm -T git -e 'git pull && git push'", 'git pull', 'git push'],
  ['xterm -e git push', 'git push'],
  ['xterm -T push'],
  ['gnome-terminal --tab -- git push', 'git push'],
  ['kitty @ launch --type=tab git push', 'git push'],
  ['kitty @ ls'],
  ['wezterm cli spawn -- git push', 'git push'],
  ['osascript -e \'do shell script "git push -m \\"x\\""\'', 'git push -m x'],
  ['osascript -e \'display dialog "git push"\''],
  ['dtach -n /tmp/s git push', 'git push'],
  ['gsudo -u me git push', 'git push'],
  ["nu -c 'git push'", 'git push'],
  ["sudo -s <<'E'\ngit push\nE", 'git push'],
  ["sudo -u me -i <<'E'\ngit push\nE", 'git push @ ?'],
  ["su - me <<'E'\ngit push\nE", 'git push @ ?'],
  ["sudo cat <<'E'\ngit push\nE", 'cat'],
  ['sudo -s'],
]);

starts('side by side, again and again, on a change', [
  ['concurrently -k "git pull" "git push"', 'git pull', 'git push'],
  ['concurrently "npm:db:*"', 'npm run db:*', 'prisma db push', 'prisma db seed'],
  ['concurrently -n a,b -c red,blue "git pull"', 'git pull'],
  ['run-p db:push dev', 'prisma db push', 'vite'],
  ['npm-run-all --parallel "db:*"', 'prisma db push', 'prisma db seed'],
  ['npm-run-all "db:**"', 'prisma db push', 'prisma db seed', 'prisma migrate reset'],
  ['start-server-and-test dev http://localhost:3000 db:push', 'vite', 'prisma db push'],
  ["start-server-and-test 'git pull' 3000 'git push'", 'git pull', 'git push'],
  ['watchexec -e ts,tsx -- git push', 'git push'],
  ["watchexec -w src -r 'git pull && git push'", 'git pull', 'git push'],
  ['ls *.ts | entr -r git push', 'git push'],
  ["onchange 'src/**' -- git push", 'git push'],
  ["nodemon --exec 'git push'", 'git push'],
  ["tsup --onSuccess 'git push'", 'git push'],
  ["tsc-watch --onSuccess='git push'", 'git push'],
  ["chokidar 'src/**' -c 'git push'", 'git push'],
  ["hyperfine --warmup 3 'git status' 'git push'", 'git status', 'git push'],
  ["hyperfine --prepare 'git push' -r 5 'git status'", 'git push', 'git status'],
  ['retry -t 3 -- git push', 'git push'],
  ['retry 3 git push', 'git push'],
  ["parallel ::: 'git pull' 'git push'", 'git pull', 'git push'],
  ['parallel git ::: pull push', 'git pull', 'git push'],
  ["printf 'git pull\\ngit push\\n' | parallel", 'git pull', 'git push'],
  ['echo push | parallel git {}', 'git push'],
  ['sem -j 2 git push', 'git push'],
  ['lerna exec -- git push', 'git push @ ?'],
  ["cargo watch -s 'git push'", 'git push'],
  ['rtk git push', 'git push'],
  ['rtk err git push', 'git push'],
  ['turbo run db:push'],
  ['nx run api:db-push'],
  ['lerna run db:push'],
  ['make push'],
  ['just push'],
  ['task push'],
  ['nodemon server.js'],
  ['tsup src/index.ts'],
  ['cargo build'],
  ['run-s missing'],
  ['npm-run-all "*-missing"'],
]);

starts('terminals, and for later', [
  ["tmux new -d 'git push'", 'git push'],
  ['tmux new-session -d -s x -c /repo/api git push', 'git push @ /repo/api'],
  ["tmux new-window 'git pull && git push'", 'git pull', 'git push'],
  ["tmux split-window -h 'git push'", 'git push'],
  ["tmux run-shell 'git push'", 'git push'],
  ["tmux new -d -s x \\; send-keys 'git push' Enter", 'git push @ ?'],
  ["tmux send-keys -t x:0 'git push' C-m", 'git push @ ?'],
  ['tmux send-keys -t x git Space push Enter', 'git push @ ?'],
  ["tmux send-keys -t x 'git pull' Enter 'git push' Enter", 'git pull @ ?', 'git push @ ?'],
  ["tmux send-keys -t x -l 'git push'", 'git push @ ?'],
  ['screen -dmS x git push', 'git push'],
  ["screen -dmS x bash -c 'git push'", 'git push'],
  ["screen -S x -X stuff 'git push\\n'", 'git push @ ?'],
  ['zellij run -- git push', 'git push'],
  ["echo 'git push' | at now + 1 minute", 'git push'],
  ["batch <<< 'git push'", 'git push'],
  ['systemd-run --user --scope -p MemoryMax=1G git push', 'git push'],
  ["pm2 start 'git push'", 'git push'],
  ['pm2 start npm --name web -- run dev', 'npm run dev', 'vite'],
  ['tmux ls'],
  ['tmux kill-session -t push'],
  ['tmux capture-pane -p -t x'],
  ["tmux send-keys -t x 'git push' C-c"],
  ['tmux send-keys -t x Up Enter'],
  ["tmux send-keys -t x -X search-forward 'git push'"],
  ['tmux send-keys -t repl \'print("git push")\' Enter'],
  ['tmux rename-session git'],
  ['screen -ls'],
  ['screen -r x'],
  ['atq'],
  ['systemd-run -M box git push'],
  ['pm2 list'],
]);

starts('the system’s own', [
  ['flock -n /tmp/lock git push', 'git push'],
  ["flock /tmp/lock -c 'git push'", 'git push'],
  ['chronic git push', 'git push'],
  ['unbuffer -p git push', 'git push'],
  ['strace -f -o /tmp/trace git push', 'git push'],
  ['caffeinate -t 10 git push', 'git push'],
  ['command time -v git push', 'git push'],
  ['gtimeout -k 5 60 git push', 'git push'],
  ['prlimit --nofile=100 git push', 'git push'],
  ['systemd-inhibit --what=sleep git push', 'git push'],
  ['cpulimit -l 50 -- git push', 'git push'],
  ['nsenter -t 1 -m git push', 'git push'],
  ['firejail --quiet git push', 'git push'],
  ['cmd.exe /c "git push"', 'git push'],
  ['cmd //c git push', 'git push'],
  ["pwsh -NoProfile -Command 'git fetch; git push'", 'git fetch', 'git push'],
  ["powershell.exe -c 'git push'", 'git push'],
  ['wsl git push', 'git push'],
  ['wsl -d Debian -- git push', 'git push'],
  ['flock -x 9'],
  ["pwsh -Command 'if ($x) { git push }'"],
  ['wsl --list'],
  ['cmd.exe /?'],
]);

describe('elsewhere', () => {
  it.each([
    'ssh host git push',
    'ssh -p 2222 deploy@host "cd /srv && git push"',
    'docker exec -it web git push',
    'docker run --rm -v "$PWD:/app" -w /app alpine/git push',
    'docker compose run --rm web git push',
    "docker compose exec -T web sh -c 'git push'",
    'docker-compose exec web git push',
    'podman run --rm image git push',
    'kubectl exec -it pod -c main -- git push',
    'kubectl exec deploy/web -- sh -c "git push"',
    'vagrant ssh -c "git push"',
    'heroku run git push',
    'fly ssh console -C "git push"',
    'gcloud compute ssh vm --command "git push"',
    'multipass exec vm -- git push',
    'devcontainer exec --workspace-folder . git push',
  ])('%s starts nothing here', (script) => {
    expect(started(script)).toEqual([]);
  });
});

describe('a program that the shell looks for', () => {
  it.each([
    ['$(which git) push', 'git'],
    ['"$(command -v git)" push', 'git'],
    ['`which git` push', 'git'],
    ['$(type -P git) push', 'git'],
    ['GIT=$(which git); $GIT push', 'git'],
    ['"$HOME/bin/git" push', 'git'],
    ['"$TOOLS/bin/git" push', 'git'],
    ['$(pick-one) push', null],
    ['"$TOOL" push', null],
    ['$(which "$TOOL") push', null],
    ['$(command -V git) push', null],
  ])('%s → %s', (script, program) => {
    expect(read(script).at(-1)?.program).toBe(program);
  });
});
