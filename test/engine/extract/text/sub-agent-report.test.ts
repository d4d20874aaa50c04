import { expect, it } from 'vitest'
import { subAgentReport } from '../../../../src/engine/extract/statements.ts'
import { result, user } from '../../../support/messages.ts'

const report = `The lease is kept in \`leases.ts\`. ${'It is renewed by a timer. '.repeat(10)}`.trim()

it('the result of a call that started another agent is its report, without the notes of the program', () => {
  expect(
    subAgentReport(result('a', `${report}\nagentId: 12 (to go on with it)\n<usage>tokens: 9</usage>`, 'Task')),
  ).toBe(report)
  expect(subAgentReport(result('a', `<task_result>\n${report}\n</task_result>`, 'task'))).toBe(report)
})

it('so is what a notice of the program quotes', () => {
  const notice = `<task-notification>\n<status>completed</status>\n<result>${report}</result>\n</task-notification>`
  expect(subAgentReport(user(notice))).toBe(report)
})

it('other results, short words and what a person typed are none', () => {
  expect(subAgentReport(result('a', report, 'read'))).toBeUndefined()
  expect(subAgentReport(result('a', 'Started.', 'Task'))).toBeUndefined()
  expect(subAgentReport(user(`See <result>${report}</result>`))).toBeUndefined()
})
