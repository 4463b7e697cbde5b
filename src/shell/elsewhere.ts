import { type OptionGrammar, optionValue, scanOptions } from './options.ts';
import { hole } from './text.ts';
import { joinScript, startFrom, type Wrapper } from './wrapper.ts';

const ssh: Wrapper = {
  isCall: true,
  unwrap(words) {
    const grammar = { short: 'BbcDEeFIiJLlmOopQRSWw' };
    const host = scanOptions(words, 1, grammar);
    const rest = scanOptions(words, host.at + 1, grammar);
    return joinScript(words, rest.at, { elsewhere: true, folder: hole, clearsEnv: true });
  },
};

const containerValues: OptionGrammar = {
  short: 'aceHhlmPpuvwEfn',
  long: [
    'add-host',
    'annotation',
    'blkio-weight',
    'cap-add',
    'cap-drop',
    'cgroup-parent',
    'cidfile',
    'context',
    'cpu-period',
    'cpu-quota',
    'cpu-shares',
    'cpus',
    'cpuset-cpus',
    'detach-keys',
    'device',
    'dns',
    'entrypoint',
    'env',
    'env-file',
    'expose',
    'file',
    'gpus',
    'group-add',
    'health-cmd',
    'host',
    'hostname',
    'index',
    'ip',
    'ipc',
    'label',
    'link',
    'log-driver',
    'log-opt',
    'mac-address',
    'memory',
    'mount',
    'name',
    'namespace',
    'network',
    'network-alias',
    'pid',
    'pids-limit',
    'platform',
    'profile',
    'project-directory',
    'project-name',
    'publish',
    'pull',
    'restart',
    'runtime',
    'security-opt',
    'shm-size',
    'stop-signal',
    'sysctl',
    'tmpfs',
    'ulimit',
    'user',
    'userns',
    'volume',
    'volumes-from',
    'workdir',
  ],
};

/** `docker run IMAGE program …`, `docker exec CONTAINER program …`, `docker compose run|exec SERVICE program …`. */
const container: Wrapper = {
  isCall: true,
  unwrap(words) {
    let sub = scanOptions(words, 1, { short: 'cHl', long: ['config', 'context', 'host', 'log-level'] }).at;
    if (words[sub] === 'compose' || words[sub] === 'container')
      sub = scanOptions(words, sub + 1, { short: 'fp', long: containerValues.long ?? [] }).at;
    if (words[sub] !== 'run' && words[sub] !== 'exec') return [];
    const scanned = scanOptions(words, sub + 1, containerValues);
    const entry = optionValue(scanned, 'entrypoint');
    const rest = words.slice(scanned.at + 1);
    const program = entry === undefined || entry === '' ? rest : [entry, ...rest];
    if (program.length === 0) return [];
    return [{ words: program, at: scanned.at + 1, elsewhere: true, folder: hole, clearsEnv: true }];
  },
};

/** Standing alone for docker-compose, whose options and subcommands are those of `docker compose`. */
const compose: Wrapper = {
  isCall: true,
  unwrap: (words) =>
    container
      .unwrap(['docker', 'compose', ...words.slice(1)], { stdin: undefined })
      .map((found) => ({ ...found, at: found.at - 1 })),
};

/** `kubectl exec pod -- program …`. */
const kubectl: Wrapper = {
  isCall: true,
  unwrap(words) {
    const dashes = words.indexOf('--');
    if (dashes < 0 || !words.slice(1, dashes).some((word) => /^(exec|run|rsh|debug)$/.test(word))) return [];
    return startFrom(words, dashes + 1, { elsewhere: true, folder: hole, clearsEnv: true });
  },
};

/**
 * Programs that start a command on another host or in a container. What they start is read, and marked as not this repo's
 * business. Sources: the manuals of OpenSSH 9, Docker 27 and kubectl 1.31.
 */
export const elsewhereWrappers = {
  ssh,
  docker: container,
  podman: container,
  nerdctl: container,
  'docker-compose': compose,
  'podman-compose': compose,
  kubectl,
  oc: kubectl,
} as const satisfies Readonly<Record<string, Wrapper>>;
