import { isMainThread } from 'node:worker_threads';
import { watch } from './watchdog.ts';
import { work } from './work.ts';

if (isMainThread) work(process.argv[1] ?? '', process.argv[2] ?? '');
else watch();
