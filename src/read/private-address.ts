/**
 * Which addresses are not of the public network: loopback, private, link-local (where clouds keep their metadata),
 * shared, multicast and reserved ranges of IPv4 and IPv6 (IANA's special-purpose registries).
 */
import { BlockList, isIP } from 'node:net';

const SUBNETS = [
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
for (const subnet of SUBNETS) {
  const [network, prefix] = subnet.split('/');
  privateNetworks.addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4');
}

/** An IPv4 address inside an IPv6 one is judged as the former. False for what is not an address. */
export function isPrivateAddress(address: string): boolean {
  const [plain] = address.split('%'); // without the zone of a link-local address
  const family = isIP(plain);
  if (family === 0) return false;
  if (family === 4) return privateNetworks.check(plain, 'ipv4');
  const shortest = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  // NAT64 puts its prefix before an IPv4 address; block lists know such an address in its mapped form
  return privateNetworks.check(shortest.replace(/^64:ff9b::(?=[^:]*:?[^:]*$)/, '::ffff:'), 'ipv6');
}
