import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The package.json in a tarball of npm's. */
function manifestOf(bytes) {
  const tar = gunzipSync(bytes);
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8) || 0;
    if (name === 'package/package.json') return JSON.parse(tar.toString('utf8', at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error('There is no package.json in it.');
}

/**
 * Serves tarballs as a package registry on loopback, and nothing else: what it does not hold is not found.
 * @returns its address, and `close`
 */
export async function serve(tarballs) {
  const held = new Map();
  for (const file of tarballs) {
    const bytes = readFileSync(file);
    const manifest = manifestOf(bytes);
    held.set(manifest.name, { bytes, manifest, file: path.basename(file) });
  }
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url, 'http://localhost').pathname).slice(1);
    const tarball = [...held.values()].find(({ file }) => asked.endsWith(`/-/${file}`));
    const found = held.get(asked);
    if (tarball) response.end(tarball.bytes);
    else if (found) response.setHeader('content-type', 'application/json').end(JSON.stringify(document(found)));
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  const document = ({ bytes, manifest, file }) => {
    const { port } = server.address();
    const dist = {
      tarball: `http://127.0.0.1:${port}/${manifest.name}/-/${file}`,
      shasum: createHash('sha1').update(bytes).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
    };
    const versions = { [manifest.version]: { ...manifest, dist } };
    const time = {
      created: '2020-01-01T00:00:00.000Z',
      modified: '2020-01-01T00:00:00.000Z',
      [manifest.version]: '2020-01-01T00:00:00.000Z',
    };
    return { name: manifest.name, 'dist-tags': { latest: manifest.version }, versions, time };
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
