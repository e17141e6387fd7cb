import { describe, expect, it } from 'vitest';
import { ownerFrom } from './postgres-owner.mjs';

const passwd = (...entries) => ['root:x:0:0:root:/root:/bin/bash', ...entries, ''].join('\n');
const nobody = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin';
const postgres = 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash';

describe('the user that runs Postgres for root', () => {
  it('is postgres if it exists', () => expect(ownerFrom(passwd(nobody, postgres))).toEqual({ uid: 101, gid: 104 }));
  it('is nobody otherwise', () => expect(ownerFrom(passwd(nobody))).toEqual({ uid: 65534, gid: 65534 }));
  it('is never an account with root rights', () => {
    expect(ownerFrom(passwd('postgres:x:0:0::/:/bin/sh', nobody))).toEqual({ uid: 65534, gid: 65534 });
  });
  it('is reported clearly if missing', () => expect(() => ownerFrom(passwd())).toThrow(/none of the users/));
});
