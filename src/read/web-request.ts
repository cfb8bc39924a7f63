/**
 * GET requests with control over the addresses they connect to. Names are resolved here, and the connection
 * is made to the resolved addresses that were checked, so that a name which resolves to another address the
 * next time gains nothing. `fetch` offers no way to set how names are resolved.
 */
import { lookup } from 'node:dns';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { version } from '../model/version.ts';

/** How names are resolved and which addresses are private. Tests replace it. */
export interface Network {
  lookup: typeof lookup;
  isPrivate(address: string): boolean;
}

/** The network of this machine. */
export const NETWORK: Network = { lookup, isPrivate: isPrivateAddress };

/** Options of `requestWeb`. */
export interface WebRequestOptions {
  network: Network;
  /** Whether the host may have a private address. */
  mayBePrivate: boolean;
  signal: AbortSignal;
  /** Headers in place of those for a page. */
  headers?: Record<string, string>;
}

/** The response to a request. */
export interface WebResponse {
  /** The response, whose body has not been read. */
  response: IncomingMessage;
  /** Whether the host has a private address. */
  isPrivate: boolean;
}

/** Thrown instead of connecting to an address outside the public network. */
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

/**
 * Sends a request and resolves when the headers have arrived; the body is as sent. Redirects are not
 * followed.
 */
export async function requestWeb(
  url: URL,
  { network, mayBePrivate, signal, headers }: WebRequestOptions,
): Promise<WebResponse> {
  let isPrivate = false;
  const checkAddress = (address: string) => {
    if (!network.isPrivate(address)) return;
    if (!mayBePrivate) throw new PrivateAddressError(address);
    isPrivate = true;
  };
  // only names are looked up, so an address is checked here
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) checkAddress(host);
  const checkedLookup: LookupFunction = (hostname, options, callback) =>
    network.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) checkAddress(address);
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      if (options.all) callback(null, addresses);
      else callback(null, addresses[0].address, addresses[0].family);
    });
  const get = url.protocol === 'https:' ? httpsGet : httpGet;
  return new Promise((resolve, reject) => {
    // use a new connection: one that is kept open may have been made under other rules
    get(
      url,
      { agent: false, headers: { ...HEADERS, ...headers }, lookup: checkedLookup, signal },
      (response) => resolve({ response, isPrivate }),
    ).on('error', reject);
  });
}

/**
 * Loopback, private, link-local (cloud metadata), shared, multicast and reserved ranges (IANA's registries).
 */
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
  // unspecified, loopback, and the old form of embedded IPv4
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

/**
 * Whether an address is outside the public network; false for texts that are not addresses. IPv4 inside IPv6
 * is checked as IPv4.
 */
export function isPrivateAddress(address: string): boolean {
  const [plain] = address.split('%'); // without the zone of a link-local address
  const family = isIP(plain);
  if (family === 0) return false;
  if (family === 4) return privateNetworks.check(plain, 'ipv4');
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  // NAT64 puts its prefix before an IPv4 address; `BlockList` matches such an address only in its mapped form
  return privateNetworks.check(shortest.replace(/^64:ff9b::(?=[^:]*:?[^:]*$)/, '::ffff:'), 'ipv6');
}
