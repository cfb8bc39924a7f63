/** Addresses of frames, of their resources and of clicks in them, and the token that they have in common. */
import { randomBytes } from 'node:crypto';
import type { FrameOptions } from './render-frame.ts';

/** What the addresses within one frame are made of, as plain data. */
export interface FramePlace {
  token: string;
  page: number;
  /** Name of the window that gets the clicks. */
  session: string;
}

/** Longest URL of a resource, in characters. */
export const LONGEST_ADDRESS = 8192;

/** Returns a new secret for the frames of one server. */
export function newFrameToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Returns the functions that make the addresses within a frame. */
export function frameAddresses({
  token,
  page,
  session,
}: FramePlace): Pick<FrameOptions, 'resourceOf' | 'pickOf'> {
  return {
    resourceOf: (url, kind) =>
      url.length > LONGEST_ADDRESS
        ? undefined
        : `/frame/${token}/resource/${page}/${kind}/${Buffer.from(url).toString('base64url')}`,
    pickOf: (number) => `/frame/${token}/pick/${session}/${number}`,
  };
}
