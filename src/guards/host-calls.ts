import { approvalOf } from './approvals.ts';
import { bodyVerdict } from './body-verdict.ts';
import { bringHosts } from './hosts.ts';
import { remoteFiles, remoteWrites } from './ref-api.ts';
import { reviewVerdict } from './review-verdict.ts';

bringHosts({ reviewVerdict, bodyVerdict, approval: approvalOf, remoteWrites, remoteFiles });
