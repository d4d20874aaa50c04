import { expect, it } from 'vitest'
import { resumeCommand } from '../../../src/tui/app/run-terminal.ts'

const ID = '499f9499-69e5-4fdd-8f2f-7001e1a7830c'

it('the command that continues a session is npm’s if npm start of a clone started it', () => {
  expect(resumeCommand(ID, { npm_lifecycle_event: 'start', npm_package_name: 'pith' })).toBe(
    'npm start -- --session 499f9499',
  )
  // Another project may start an installed Pith from its own scripts.
  expect(resumeCommand(ID, { npm_lifecycle_event: 'start', npm_package_name: 'shop' })).toBe('pith --session 499f9499')
  expect(resumeCommand(ID, {})).toBe('pith --session 499f9499')
})
