/** The joint model that comes with the package, models/joint.json. scripts/train-joint-model.ts makes it. */
import { readFileSync } from 'node:fs';
import { decodeJointModel, type JointModel } from './joint-model.ts';

let packaged: JointModel | undefined;

/** Returns the package's joint model; the file is read and decoded once per thread. */
export function packagedJointModel(): JointModel {
  packaged ??= decodeJointModel(readFileSync(new URL('../../../models/joint.json', import.meta.url), 'utf8'));
  return packaged;
}
