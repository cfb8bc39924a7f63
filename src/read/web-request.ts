/**
 * A GET request that knows which addresses it connects to: names are resolved here, and the connection is made to
 * the addresses that were looked at. So a name that resolves to another address the next time gains nothing.
 * `fetch` cannot be told how to resolve names.
 */
import { lookup } from 'node:dns';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { version } from '../model/version.ts';
import { isPrivateAddress } from './private-address.ts';

/** How names are resolved and addresses judged. */
export interface Network {
  lookup: typeof lookup;
  isPrivate(address: string): boolean;
}

export const NETWORK: Network = { lookup, isPrivate: isPrivateAddress };

export interface WebRequestOptions {
  network: Network;
  /** Whether the host may have a private address. */
  mayBePrivate: boolean;
  signal: AbortSignal;
}

export interface WebResponse {
  response: IncomingMessage;
  /** Whether the host has a private address. */
  isPrivate: boolean;
}

/** Thrown instead of connecting to an address that is not of the public network. */
export class PrivateAddressError extends Error {
  readonly address: string;
  constructor(address: string) {
    super(`${address} is not an address of the public network`);
    this.address = address;
  }
}

const HEADERS = {
  'user-agent': `chaff/${version}`,
  accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
};

/** Resolves when the headers are there; the body is as sent. Redirects are not followed. */
export async function requestWeb(
  url: URL,
  { network, mayBePrivate, signal }: WebRequestOptions,
): Promise<WebResponse> {
  let isPrivate = false;
  const judge = (address: string) => {
    if (!network.isPrivate(address)) return;
    if (!mayBePrivate) throw new PrivateAddressError(address);
    isPrivate = true;
  };
  // only names are looked up
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) judge(host);
  const judgedLookup: LookupFunction = (hostname, options, callback) =>
    network.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) judge(address);
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    // a connection of its own: one that is kept open may have been made under other rules
    get(url, { agent: false, headers: HEADERS, lookup: judgedLookup, signal }, (response) =>
      resolve({ response, isPrivate }),
    ).on('error', reject);
  });
}
