/**
 * What the joint detector learnt from labelled pages: weights of hashed names and two sets of boosted trees. It is
 * plain data, saved as JSON text with its card. The package includes one (packaged-joint-model.ts).
 */
import { FEATURE_FLOATS, NAME_BUCKET_BITS } from '../../kernel/block-layout.ts';
import {
  type BoostedTrees,
  type BoostedTreesData,
  decodeBoostedTrees,
  encodeBoostedTrees,
} from '../../learn/boosted-trees.ts';
import { describeValue } from '../../model/check-option.ts';
import { fields, listOf, mapOf, numberFrom, ShapeError, textShape } from '../check-shape.ts';

/** Raised when the meaning of a feature or the form of the file changes. */
const JOINT_MODEL_VERSION = 2;

/** Facts about a model that its users should know. */
export interface JointCard {
  name: string;
  /** The training data, in one sentence; then its counts. */
  data: string;
  pages: number;
  hosts: number;
  rows: number;
  settings: Record<string, string | number>;
  limits: string;
  /** The day of the training, ISO 8601. */
  date?: string;
  /** Figures of the first trees on pages of unseen hosts (held-out.ts). */
  figures?: Record<string, number>;
}

/** The trained joint model: name weights, two sets of boosted trees, and a card that describes the training. */
export interface JointModel {
  /** A weight for each bucket of names, in units of NAME_WEIGHT_UNIT. */
  names: Int8Array;
  /**
   * Probability of content: `first` from the page and site features of a block, `second` also from the first scores
   * around it.
   */
  first: BoostedTrees;
  second: BoostedTrees;
  card: JointCard;
}

interface JointModelData {
  card: JointCard;
  version: number;
  names: string;
  first: BoostedTreesData;
  second: BoostedTreesData;
}

/** Encodes the model as JSON text; equal models give equal texts. */
export function encodeJointModel({ names, first, second, card }: JointModel): string {
  const data: JointModelData = {
    card,
    version: JOINT_MODEL_VERSION,
    names: Buffer.from(names.buffer, names.byteOffset, names.length).toString('base64'),
    first: encodeBoostedTrees(first),
    second: encodeBoostedTrees(second),
  };
  return `${JSON.stringify(data)}\n`;
}

const number = numberFrom(-1e30, 1e30);
const trees = fields({
  width: number,
  bias: number,
  features: listOf(listOf(number)),
  numbers: listOf(listOf(number)),
  gain: listOf(number),
});
const shape = fields({
  card: fields(
    {
      name: textShape,
      data: textShape,
      pages: number,
      hosts: number,
      rows: number,
      settings: mapOf(() => {}),
      limits: textShape,
    },
    { date: textShape, figures: mapOf(number) },
  ),
  version: number,
  names: textShape,
  first: trees,
  second: trees,
});

/** Decodes JSON text; throws with the place and the expected form when it is not a model of this version. */
export function decodeJointModel(json: string): JointModel {
  const data = JSON.parse(json) as JointModelData;
  shape(data, '');
  if (data.version !== JOINT_MODEL_VERSION) {
    throw new ShapeError(
      `version must be ${JOINT_MODEL_VERSION}, not ${data.version}: train the model again`,
    );
  }
  const bytes = Buffer.from(data.names, 'base64');
  if (bytes.length !== 2 ** NAME_BUCKET_BITS) {
    throw new ShapeError(`names must have ${2 ** NAME_BUCKET_BITS} weights, not ${bytes.length}`);
  }
  const decode = (name: 'first' | 'second') => {
    if (data[name].width !== FEATURE_FLOATS) {
      throw new ShapeError(`${name}.width must be ${FEATURE_FLOATS}, not ${data[name].width}`);
    }
    return decodeBoostedTrees(data[name]);
  };
  return { names: new Int8Array(bytes), first: decode('first'), second: decode('second'), card: data.card };
}

/** Throws for a value that is not a decoded joint model. */
export function checkJointModel(model: JointModel): void {
  const { names, first, second } = Object(model) as Partial<JointModel>;
  const isWhole = [first, second].every(
    (one) => one?.width === FEATURE_FLOATS && ArrayBuffer.isView(one.roots),
  );
  if (names?.length === 2 ** NAME_BUCKET_BITS && isWhole) return;
  throw new TypeError(
    `model must be a joint model, as decodeJointModel reads it, not ${describeValue(model)}`,
  );
}
