import { Tabs } from '@mantine/core';
import { useFilters } from '../app/filters';
import { useSession } from '../app/session';
import type { Key } from '../text/en';
import { useT } from '../text/text';
import { PageHead } from '../ui/parts';
import { AuditLog } from './operations/audit';
import { Connectors } from './operations/connectors';
import { Limits } from './operations/limits';
import { Parked } from './operations/parked';
import { LogCopies } from './operations/stream';
import { Tenants } from './operations/tenants';

const SECTIONS: readonly { readonly value: Key; readonly scope: string; readonly Section: () => React.ReactNode }[] = [
  { value: 'parkedWork', scope: 'admin', Section: Parked },
  { value: 'logCopies', scope: 'admin', Section: LogCopies },
  { value: 'tenantsAndKeys', scope: 'admin', Section: Tenants },
  { value: 'connectors', scope: 'vendors:admin', Section: Connectors },
  { value: 'auditLog', scope: 'audit:read', Section: AuditLog },
  { value: 'limits', scope: 'memory:read', Section: Limits },
];

/** For operators. Shows only the sections that the key may read. */
export const Operations = () => {
  const t = useT();
  const { can } = useSession();
  const [filters, setFilters] = useFilters();
  const sections = SECTIONS.filter(({ scope }) => can(scope));
  const section = sections.find(({ value }) => value === filters['section']) ?? sections[0];
  return (
    <>
      <PageHead title={t('operations')} />
      <Tabs
        value={section?.value ?? null}
        keepMounted={false}
        onChange={(next) => setFilters({ section: next ?? undefined, kind: undefined, tenant: undefined })}
      >
        <Tabs.List mb="md">
          {sections.map(({ value }) => (
            <Tabs.Tab key={value} value={value}>
              {t(value)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sections.map(({ value, Section }) => (
          <Tabs.Panel key={value} value={value}>
            <Section />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
};
