/**
 * Paths as text, for the pure core: POSIX absolute paths, and Windows ones with a drive letter once their separators are
 * turned. No file system is asked.
 */

/** Backslashes become slashes where the path is a Windows one (`C:\a`, `..\a`) and no slash stands in it. */
export function toPosix(path: string): string {
  return path.includes('\\') && !path.includes('/') ? path.replaceAll('\\', '/') : path;
}

export function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** Takes out `.`, `..` and doubled slashes; the result has no trailing slash. */
export function normalise(path: string): string {
  const drive = /^[A-Za-z]:(?=\/)/.exec(path)?.[0] ?? '';
  const rest = path.slice(drive.length);
  const rooted = rest.startsWith('/');
  const parts: string[] = [];
  for (const part of rest.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (!rooted) parts.push('..');
  }
  return drive + (rooted ? '/' : '') + parts.join('/') || '.';
}

/** An absolute, normalised path; `path` is taken from `folder` unless it is absolute itself. */
export function resolveFrom(folder: string, path: string): string {
  const turned = toPosix(path);
  return normalise(isAbsolute(turned) ? turned : `${folder}/${turned}`);
}

export function dirname(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 ? '/' : path.slice(0, slash);
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `folder` or lies below it; both normalised. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
}

/** The path below `folder`, without a leading slash; `''` for the folder itself and `undefined` outside it. Both normalised. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  const prefix = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}
