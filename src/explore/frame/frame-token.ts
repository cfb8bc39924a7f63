import { randomBytes } from 'node:crypto';

/** Returns a new secret for the frames of one server. */
export function newFrameToken(): string {
  return randomBytes(24).toString('base64url');
}
