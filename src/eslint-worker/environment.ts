/** Which variables somebody in this process has looked at, and what they were at its start. */
export interface WatchedEnvironment {
  /** The first variable that was looked at and is another one there; `undefined` where all are the same. */
  changed(env: Readonly<Record<string, string>>): string | undefined;
}

/** Puts something in the place of `process.env` that notes which variables are read: a config may read any. */
export function watchEnvironment(): WatchedEnvironment {
  const real = process.env;
  const first: NodeJS.ProcessEnv = { ...real };
  const read = new Set<string>();
  process.env = new Proxy(real, {
    get(env, name) {
      if (typeof name === 'string') read.add(name);
      return Reflect.get(env, name) as unknown;
    },
    has(env, name) {
      if (typeof name === 'string') read.add(name);
      return Reflect.has(env, name);
    },
  });
  return { changed: (env) => [...read].find((name) => env[name] !== first[name]) };
}
