/** Spellings of the local host, as the host part of a URL. Each would reach a listener on all addresses. */
export const LOOPBACK_HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.0.0.01',
  '127.0.0.0x1',
  '127.127.127.127',
  '127.255.255.254',
  '0177.0.0.1',
  '0177.1',
  '00000177.0.0.1',
  '017700000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '0x7f000001',
  '0x000000007f000001',
  '2130706433',
  '0',
  '0x0',
  '00.0',
  '0.0.0.0',
  '%31%32%37.0.0.1',
  '127%2e0%2E0%2e1',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '0ｘ7f000001',
  '127.0.0.1\u00ad',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::0.0.0.1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:0.0.0.0]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'loc%61lhost',
  'localhost%2e',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'ｌocalhost',
  'anything.localhost',
] as const;

/** Whole URLs that mislead readers or other parsers. `PORT` stands for the listener's port. */
export const TRICKY_URLS = [
  'http://example.com@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@example.com/',
  'http://user:pass@127.0.0.1:PORT/',
  'http://example.com%40127.0.0.1:PORT/',
  'http://example.com#@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT#.example.com/',
  'http://example.com\\@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\.example.com/',
  'http://127.0.0.1\t:PORT/',
  'http://127.0.\n0.1:PORT/',
  ' http://127.0.0.1:PORT/',
  'http://127.0.0.1%00.example.com:PORT/',
  'http://127.0.0.1\u0000.example.com:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'hTTp://127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT/',
  'http://127.0.0.1:PORT:80/',
  'http://[::1]:PORT:80/',
  'http://[::1%25lo]:PORT/',
  'http://[fe80::1%lo]:PORT/',
  'http://[127.0.0.1]:PORT/',
  'http://256.256.256.256:PORT/',
  'http://127.0.0.1.1:PORT/',
  'https://127.0.0.1:PORT/',
  'ws://127.0.0.1:PORT/',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_FLUSHALL',
  'dict://127.0.0.1:PORT/info',
  'file:///etc/passwd',
  'http+unix://%2fvar%2frun%2fdocker.sock/',
  'unix:/var/run/docker.sock',
  'data:text/plain,x',
  'jar:http://127.0.0.1:PORT!/',
  'http://example.com:22/',
  'http://example.com:25/',
  'http://example.com:0/',
  '',
] as const;

/** Addresses that webhooks must not reach. Used in URLs and as DNS answers. */
export const REFUSED_ADDRESSES = [
  '0.1.2.3', // this network
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1', // carrier-grade NAT
  '100.100.100.200', // cloud metadata
  '100.127.255.254',
  '127.0.0.53',
  '168.63.129.16', // cloud metadata on a public address
  '169.254.0.1',
  '169.254.169.254', // metadata of most clouds
  '169.254.170.2', // container credentials
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1', // protocol assignments
  '192.0.0.192', // cloud metadata
  '192.0.2.1', // test net 1
  '192.31.196.1', // AS112
  '192.52.193.1', // AMT
  '192.88.99.1', // 6to4 relay
  '192.168.0.1',
  '192.168.255.254',
  '192.175.48.1', // AS112
  '198.18.0.1', // benchmarking
  '198.19.255.254',
  '198.51.100.1', // test net 2
  '203.0.113.1', // test net 3
  '224.0.0.1', // multicast
  '239.255.255.250',
  '240.0.0.1', // reserved
  '255.255.255.255', // broadcast
  '::', // unspecified
  '::1',
  '::7f00:1', // v4-compatible
  '::10.0.0.1',
  '::ffff:10.0.0.1', // v4-mapped
  '::ffff:127.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:8.8.8.8', // mapped addresses are rejected even if public: no honest DNS server returns them
  '::ffff:0:127.0.0.1', // translated (SIIT)
  '64:ff9b::127.0.0.1', // NAT64
  '64:ff9b::a00:1',
  '64:ff9b::8.8.8.8',
  '64:ff9b:1::10.0.0.1', // local NAT64
  '100::1', // discard
  '100:0:0:1::1', // dummy
  '2001::1', // Teredo
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001:2::1', // benchmarking
  '2001:3::1', // AMT
  '2001:4:112::1', // AS112
  '2001:10::1', // ORCHID
  '2001:20::1', // ORCHIDv2
  '2001:30::1', // drone ids
  '2001:db8::1', // documentation
  '2002:7f00:1::', // 6to4 of 127.0.0.1
  '2002:a00:1::1', // 6to4 of 10.0.0.1
  '2002:a9fe:a9fe::', // 6to4 of 169.254.169.254
  '2600:1f18::5efe:10.0.0.1', // ISATAP
  '2600:1f18::200:5efe:7f00:1', // ISATAP
  '2620:4f:8000::1', // AS112
  '3fff::1', // documentation
  '4000::1', // unassigned
  '5f00::1', // segment routing
  'e000::1', // unassigned
  'fc00::1', // unique local
  'fd00:ec2::254', // cloud metadata
  'fd20:ce::254', // cloud metadata
  'fe80::1', // link-local
  'febf::1',
  'fec0::1', // site-local
  'ff02::1', // multicast
  'ff0e::1',
] as const;

/** Just outside the blocked ranges: must stay reachable. */
export const PUBLIC_ADDRESSES = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2001:200::1',
  '2003::1',
  '2600:1f18::1',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '3ffe:ffff::1',
] as const;
