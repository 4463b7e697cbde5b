import { archivePrograms } from './archive-writes.ts';
import { fetchPrograms } from './fetch-writes.ts';
import { formatPrograms } from './format-writes.ts';
import { rareWriters } from './rare-writers.ts';

rareWriters.bring(new Map(Object.entries({ ...formatPrograms, ...archivePrograms, ...fetchPrograms })));
