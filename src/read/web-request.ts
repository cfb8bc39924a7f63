/**
 * A GET request that knows which addresses it connects to: names are resolved here, and the connection is made to
 * the addresses that were looked at. So a name that resolves to another address the next time gains nothing.
 * `fetch` cannot be told how to resolve names.
 */
import { lookup } from 'node:dns';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { version } from '../model/version.ts';

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

/** Loopback, private, link-local (cloud metadata), shared, multicast and reserved ranges (IANA's registries). */
const PRIVATE_SUBNETS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // unspecified, loopback and the old form of embedded IPv4
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  // Teredo, documentation, 6to4
  '2001::/32',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

const privateNetworks = new BlockList();
for (const subnet of PRIVATE_SUBNETS) {
  const [network, prefix] = subnet.split('/');
  privateNetworks.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
}

/** Whether an address is outside the public network. IPv4 inside IPv6 is judged as IPv4; false for other texts. */
export function isPrivateAddress(address: string): boolean {
  const [plain] = address.split('%'); // without the zone of a link-local address
  const family = isIP(plain);
  if (family === 0) return false;
  if (family === 4) return privateNetworks.check(plain, 'ipv4');
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  // NAT64 puts its prefix before an IPv4 address; block lists know such an address in its mapped form
  return privateNetworks.check(shortest.replace(/^64:ff9b::(?=[^:]*:?[^:]*$)/, '::ffff:'), 'ipv6');
}
