import { approvalOf } from './approvals.ts';
import { commitInFront } from './commits-in-front.ts';
import { bringHosts } from './hosts.ts';
import { pullRequestOf, templateFor } from './pull-requests.ts';
import { remoteFiles, remoteWrites } from './ref-api.ts';

bringHosts({
  pullRequest: pullRequestOf,
  template: templateFor,
  approval: approvalOf,
  commitInFront,
  remoteWrites,
  remoteFiles,
});
