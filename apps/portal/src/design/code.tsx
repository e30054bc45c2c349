import type { ReactNode } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { CopyButton } from './values';

/** Texts in quotes, and words of the language, of a line of code. */
const PART = /('[^']*'|"[^"]*")|\b(curl|const|await|import|with|as|console|print)\b/g;

function coloured(code: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const found of code.matchAll(PART)) {
    parts.push(code.slice(end, found.index));
    const colour = found[1] === undefined ? 'text-(--code-name)' : 'text-(--code-string)';
    parts.push(
      <span key={found.index} className={colour}>
        {found[0]}
      </span>,
    );
    end = found.index + found[0].length;
  }
  return [...parts, code.slice(end)];
}

/** Code with a button that copies it. */
export function Code({ code, label }: { code: string; label: string }): ReactNode {
  return (
    <div className="min-w-0 rounded-md border border-line bg-code">
      <div className="flex items-center justify-between gap-4 border-b border-line py-1.5 pr-2 pl-4 text-xs text-soft">
        {label}
        <CopyButton text={code} label={`Copy ${label}`} />
      </div>
      {/* A part that scrolls needs the focus of the keyboard. */}
      <pre
        tabIndex={0}
        aria-label={label}
        role="region"
        className="overflow-x-auto p-4 font-mono text-sm leading-6 text-code-text"
      >
        <code>{coloured(code)}</code>
      </pre>
    </div>
  );
}

export interface CodeTab {
  id: string;
  label: string;
  code: string;
  /** How to run it. */
  note: ReactNode;
}

/** The same in several languages. */
export function CodeTabs({ tabs, label }: { tabs: readonly CodeTab[]; label: string }): ReactNode {
  return (
    <Tabs className="flex flex-col gap-3">
      <TabList aria-label={label} className="flex gap-1 border-b border-line">
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium text-soft outline-offset-[-2px] hover:text-text data-selected:border-accent data-selected:text-text"
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="flex flex-col gap-2">
          <Code code={tab.code} label={tab.label} />
          <p className="text-sm text-soft">{tab.note}</p>
        </TabPanel>
      ))}
    </Tabs>
  );
}
