/**
 * Access to words and floats of the records that the joint detector keeps for blocks, elements and entries of
 * a site.
 */

/** Returns a word of a record. */
export function word(record: u32, index: u32): u32 {
  return load<u32>(record + (index << 2));
}

/** Returns a word of a record as a float. */
export function float(record: u32, index: u32): f32 {
  return load<f32>(record + (index << 2));
}

/** Returns a share; 0 if the whole is 0. */
export function ratio(part: f32, whole: f32): f32 {
  return whole > 0 ? part / whole : 0;
}

/** Adds to a word of a record that is a float. */
export function addFloat(record: u32, index: u32, amount: f32): void {
  store<f32>(record + (index << 2), float(record, index) + amount);
}
