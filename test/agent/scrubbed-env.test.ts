import { describe, expect, it } from 'vitest'
import { scrubbedEnv } from '../../src/agent/scrubbed-env.ts'

const key = 'abcdefghijklmnopqrstuvwxyz0123456789ABCD'

describe('the environment of commands', () => {
  it('has no key of a provider, by name, by shape or as a copy', () => {
    const env = {
      PATH: '/bin',
      MY_LAB_KEY: 'named-by-the-configuration',
      COPY_OF_IT: 'named-by-the-configuration',
      ANTHROPIC_API_KEY: 'x',
      ANTHROPIC_AUTH_TOKEN: 'x',
      WORK_OPENAI_API_KEY: 'x',
      GOOGLE_GENERATIVE_AI_API_KEY: 'x',
      GROQ_API_KEY_2: 'x',
      HF_TOKEN: 'x',
      ODD: `sk-ant-api03-${key}`,
      OTHER: `Bearer sk-proj-${key}`,
      GOOGLE: `AIza${key}`,
      UNSET: undefined,
    }
    expect(scrubbedEnv(env, ['my_lab_key'])).toEqual({ PATH: '/bin' })
  })

  it('keeps what commands may need', () => {
    const env = {
      HOME: '/h',
      GITHUB_TOKEN: 'ghp_x',
      STRIPE_API_KEY: 'sk_test_123',
      OPENAI_BASE_URL: 'http://localhost',
      TASK: 'disk-usage-of-the-whole-machine',
      ONE: '1',
    }
    expect(scrubbedEnv({ ...env, OPENAI_API_KEY: '1' }, [])).toEqual(env)
  })
})
