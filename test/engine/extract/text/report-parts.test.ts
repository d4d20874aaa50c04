import { expect, it } from 'vitest'
import { reportParts } from '../../../../src/engine/extract/statements.ts'

it('a report is taken apart into sentences, rows of tables and short pieces of code, without its headings', () => {
  const report = [
    '## What I did',
    'The **lease** is renewed. It lasts 60 s now.',
    '',
    '| source | place |',
    '|---|---|',
    '| leases | `db/leases.sql` |',
    '| locks | `run/*.lock` | never export |',
    '',
    '- start it with:',
    '```bash',
    'LEASE=60 node serve.js \\',
    '  --port 8080',
    '```',
    'Then look at the log.',
  ]
  expect(reportParts(report.join('\n'))).toEqual([
    'The lease is renewed.',
    'It lasts 60 s now.',
    'leases: `db/leases.sql`',
    'locks: `run/*.lock`, never export',
    'start it with:',
    '`LEASE=60 node serve.js \\ --port 8080`',
    'Then look at the log.',
  ])
})

it('a long piece of code is an example and is left out, also one that never ends', () => {
  expect(reportParts(`See here.\n\`\`\`\n${'const a = 1\n'.repeat(40)}\`\`\`\nDone with it.`)).toEqual([
    'See here.',
    'Done with it.',
  ])
  expect(reportParts(`See here.\n\`\`\`\n${'const a = 1\n'.repeat(40)}`)).toEqual(['See here.'])
})
