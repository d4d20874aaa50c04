import { describe, expect, it } from 'vitest'
import { promptsOf } from '../../../../src/engine/record/prompts/prompts-of.ts'
import { styleSchema } from '../../../../src/model/policy/policy-schema.ts'

describe.each(styleSchema.options)('the prompts of %s', (preset) => {
  const prompts = promptsOf(preset)

  it('are as they were when someone last looked at them', () => {
    expect({ ...prompts, focus: prompts.focus('the tests') }).toMatchSnapshot()
  })

  it('say not to continue the conversation', () => {
    expect(prompts.system).toMatch(/do not continue/i)
  })
})

const SECTIONS = {
  keen: ['Goal', 'Key Instructions', 'Discoveries', 'Accomplished', 'Relevant Files'],
  agent: ['Key Decisions', 'File Context', 'Code Changes', 'Errors and Solutions', 'Current State'],
  kit: ['Goal', 'Constraints & Preferences', 'Progress', 'Key Decisions', 'Next Steps', 'Critical Context'],
} as const

describe.each(['keen', 'agent', 'kit'] as const)('the summary of %s', (preset) => {
  it('has the sections of the system that it comes from, in their order', () => {
    const headings = [...promptsOf(preset).summary.matchAll(/^## (.+)$/gm)].map((match) => match[1])
    expect(headings).toEqual(SECTIONS[preset])
  })
})
