import { ApiError, ConnectionError } from '@plimsoll/sdk';
import { type ReactNode, useState } from 'react';
import { Bars } from './bars';
import { Button, type ButtonKind } from './button';
import { Code, CodeTabs } from './code';
import { Dialog, DialogButtons } from './dialog';
import { Disclosure } from './disclosure';
import { Drawer } from './drawer';
import { CheckboxGroup, RadioGroup, TextField } from './field';
import { FigureTable } from './figure-table';
import { Filters } from './filters';
import { Card, Facts, PageHeader } from './layout';
import { CELL, LongTable, ROW } from './list';
import { Empty, ErrorNotice, Loading, Notice } from './notice';
import { formatChange, formatHealthFactor } from './format';
import { HealthGauge } from './gauge';
import { fallText, healthText } from './levels';
import { LineChart } from './line-chart';
import { HealthBar, RiskLevel } from './risk';
import { Select } from './select';
import { Slider } from './slider';
import { Tiles } from './tiles';
import { Address, Id, Measure, Moment, Secret, ShortUsd, Status, Time, Usd } from './values';

const KINDS: readonly ButtonKind[] = ['primary', 'plain', 'danger', 'quiet'];
const COLOURS = [
  'canvas',
  'surface',
  'sunken',
  'line',
  'line-strong',
  'text',
  'text-soft',
  'text-faint',
  'accent',
];
const RISKS = ['safe', 'moderate', 'elevated', 'high', 'liquidatable'];
const SIZES = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl', 'text-3xl'];
const BARS = Array.from({ length: 48 }, (_, index) => ({
  label: `bar ${index + 1}`,
  value: (index * 37) % 29,
}));
const CHOICES = [
  { value: 'a', label: 'First' },
  { value: 'b', label: 'Second' },
];
const REFUSED = new ApiError(
  429,
  { title: 'Too many requests', detail: 'Try again in 12 s.', code: 'rate_limited' },
  'req_01aBcDeFgHiJkLmNoPqRsT',
  12_000,
);
const THRESHOLDS = { liquidatable: 1, critical: 1.1, high: 1.25, moderate: 1.5 };
/** With a gap in the middle. */
const POINTS = Array.from({ length: 48 }, (_, index) => ({
  at: index,
  value: index > 20 && index < 24 ? null : 1.2 + 0.2 * Math.sin(index / 6),
}));
const around = (difference: number) =>
  POINTS.map(({ at, value }) => ({ at, value: value === null ? null : value + difference * (at / 48) }));
const HEALTH = [
  ['none', null, false],
  ['low', 2.15, true],
  ['moderate', 1.32, true],
  ['high', 1.18, true],
  ['critical', 1.009, true],
  ['liquidatable', 0.994, true],
] as const;
const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

/** Every component in every state, for those who change the portal. */
export function DesignPage(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'drawer' | null>(null);
  const [chosen, setChosen] = useState(['a']);
  const [selected, setSelected] = useState('a');
  const [change, setChange] = useState(-20);
  return (
    <main className="mx-auto flex max-w-[1200px] flex-col gap-6 px-4 py-8 sm:px-8">
      <PageHeader title="Components">
        Tokens and components with their states, on this machine only.
      </PageHeader>
      <Card title="Colours">
        <ul className="grid grid-cols-2 gap-4 p-5 sm:grid-cols-5">
          {COLOURS.map((name) => (
            <li key={name} className="flex flex-col gap-1.5 text-sm">
              <Swatch token={name} />
              {name}
            </li>
          ))}
          {RISKS.map((name, index) => (
            <li key={name} className="flex flex-col gap-1.5 text-sm">
              <Swatch token={`risk-${index + 1}`} />
              {index + 1} {name}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Type">
        <div className="flex flex-col gap-2 p-5">
          {SIZES.map((size) => (
            <p key={size} className={size}>
              965.7M USD at risk
            </p>
          ))}
          <p className="font-mono text-sm">psk_live_ and 0x70997970C51812dc3A01</p>
        </div>
      </Card>
      <Card title="Buttons">
        <div className="flex flex-wrap gap-3 p-5">
          {KINDS.map((kind) => (
            <Button key={kind} kind={kind}>
              {kind}
            </Button>
          ))}
          <Button size="small">small</Button>
          <Button isDisabled>disabled</Button>
          <Button isPending>pending</Button>
          <Button onPress={() => setOpen('dialog')}>Open a dialog</Button>
          <Button onPress={() => setOpen('drawer')}>Open a drawer</Button>
        </div>
      </Card>
      <Card title="Fields">
        <div className="grid gap-6 p-5 sm:grid-cols-2">
          <TextField label="Name" hint="What uses the key." />
          <TextField label="Code" defaultValue="Zm9yIHRoZSBleGFtcGxl" mono />
          <CheckboxGroup label="Permissions" choices={CHOICES} value={chosen} onChange={setChosen} />
          <RadioGroup label="Expires" name="expires" choices={CHOICES} defaultValue="b" />
          <Select label="State" choices={CHOICES} value={selected} onChange={setSelected} />
        </div>
      </Card>
      <Card title="Disclosures">
        <Disclosure title="Closed">
          <p className="px-3.5 pb-3">Shown when it is open.</p>
        </Disclosure>
        <Disclosure title="Open" isOpen>
          <p className="px-3.5 pb-3">Shown at first.</p>
        </Disclosure>
      </Card>
      <Card title="Values">
        <Facts
          facts={[
            ['Time', <Time at={AN_HOUR_AGO} />],
            ['Moment', <Moment at={AN_HOUR_AGO} />],
            ['Number', <Measure value="1,204" unit="ms" />],
            [
              'Address',
              <Address
                value={ADDRESS}
                label="Treasury"
                explorer={`https://etherscan.io/address/${ADDRESS}`}
              />,
            ],
            ['Address with ENS', <Address value={ADDRESS} ensName="plimsoll.eth" />],
            ['Address alone', <Address value={ADDRESS} />],
            ['Id', <Id value="key_01aBcDeFgHiJkLmNoPqRsT" />],
            [
              'States',
              <span className="flex flex-wrap gap-2">
                <Status tone="good">delivered</Status>
                <Status tone="warn">retrying</Status>
                <Status tone="bad">failed</Status>
                <Status tone="off">skipped</Status>
              </span>,
            ],
          ]}
        />
        <div className="px-5 pb-5">
          <Secret value="whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=" label="Copy the secret" />
        </div>
      </Card>
      <Card title="Notices">
        <div className="flex flex-col gap-3 p-5">
          <Notice tone="good" title="The test arrived" />
          <Notice tone="warn" title="The overlap ends in 2 h" />
          <Notice tone="info" title="A new version is ready" />
          <ErrorNotice error={REFUSED} onRetry={() => undefined} />
          <ErrorNotice error={new ConnectionError('offline')} />
        </div>
      </Card>
      <Card title="Empty and loading">
        <Empty title="No keys yet. A key identifies your program.">
          <Button kind="primary">Create the first key</Button>
        </Empty>
        <Loading />
      </Card>
      <Card title="Chart">
        <Bars bars={BARS} label="Numbers of an example." from="first" to="last" />
      </Card>
      <Card title="Risk">
        <div className="flex flex-col gap-6 p-5">
          <Tiles
            tiles={[
              { name: 'At stake', value: <ShortUsd value={1_240_500} />, note: 'of positions in danger' },
              { name: 'In danger', value: '2', note: 'of 61' },
              { name: 'Net worth', value: <Usd value={61_000} />, note: 'after debt' },
            ]}
          />
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {HEALTH.map(([level, healthFactor, debt]) => (
              <li key={level} className="flex flex-col gap-1">
                <span className="flex items-center justify-between gap-4">
                  <RiskLevel level={level} hasDebt={debt} />
                  <span>
                    {healthText(healthFactor, debt)}, {fallText(healthFactor, debt)}
                  </span>
                </span>
                <HealthBar healthFactor={healthFactor} level={level} />
              </li>
            ))}
          </ul>
          <Slider
            label="ETH"
            value={change}
            min={-90}
            max={100}
            text={formatChange(change)}
            onChange={setChange}
            onRelease={() => undefined}
          />
          <HealthGauge healthFactor={1.18} level="high" thresholds={THRESHOLDS} hasDebt />
        </div>
        <LineChart
          points={POINTS}
          marks={[{ id: 'a', at: 30, number: 1 }]}
          line={{ value: 1, name: 'liquidation' }}
          label="Health factors of an example, between 1.002 and 1.398."
          format={formatHealthFactor}
          from="first"
          to="now"
        />
        <LineChart
          points={POINTS}
          band={{ low: around(-0.15), high: around(0.3), names: ['high', 'middle', 'low'] }}
          line={{ value: 1, name: 'liquidation' }}
          label="The same health factors with a band."
          format={formatHealthFactor}
          from="now"
          to="later"
        />
        <FigureTable
          label="Long figures"
          name="Row"
          heads={['First', 'Second']}
          rows={[{ id: 'a', name: 'A name of some length', figures: ['1,240 USD', '0.987'] }]}
        />
        <FigureTable
          label="Short figures"
          name="Row"
          heads={['First', 'Second']}
          rows={[{ id: 'a', name: '2 days', figures: ['1.240', '0.987'] }]}
          isShort
        />
      </Card>
      <Card title="Filters and rows">
        <Filters active={1} onClear={() => undefined}>
          <Select label="Response" choices={CHOICES} value={selected} onChange={setSelected} />
        </Filters>
        <LongTable
          label="Rows"
          columns={[{ name: 'State' }, { name: 'Event' }]}
          rows={['alert.created', 'test.ping']}
        >
          {(event, properties) => (
            <tr key={event} {...properties} className={ROW}>
              <td className={CELL}>
                <Status tone="good">delivered</Status>
              </td>
              <td className={`${CELL} font-mono text-sm`}>{event}</td>
            </tr>
          )}
        </LongTable>
      </Card>
      <Card title="Code">
        <div className="flex flex-col gap-5 p-5">
          <Code code={`curl "https://api.example.com/v1/status"`} label="Example" />
          <CodeTabs
            label="Language"
            tabs={[
              { id: 'a', label: 'TypeScript', code: "await fetch('/v1/status');", note: 'Node 22 or later.' },
              { id: 'b', label: 'Python', code: 'import json', note: 'Python 3.' },
            ]}
          />
        </div>
      </Card>
      <Dialog title="Revoke “production”" isOpen={open === 'dialog'} onClose={() => setOpen(null)}>
        <p>Calls with the key fail within one second.</p>
        <DialogButtons>
          <Button onPress={() => setOpen(null)}>Cancel</Button>
          <Button kind="danger" onPress={() => setOpen(null)}>
            Revoke key
          </Button>
        </DialogButtons>
      </Dialog>
      {open === 'drawer' && (
        <Drawer title="alert.created" onClose={() => setOpen(null)}>
          <p>Details of an entry.</p>
        </Drawer>
      )}
    </main>
  );
}

function Swatch({ token }: { token: string }): ReactNode {
  return (
    <svg
      viewBox="0 0 10 4"
      preserveAspectRatio="none"
      className="h-10 w-full rounded-md border border-line"
      aria-hidden="true"
    >
      <rect width="10" height="4" fill={`var(--${token})`} />
    </svg>
  );
}
