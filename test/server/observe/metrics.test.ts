import { describe, expect, it } from 'vitest'
import { Metrics } from '../../../src/server/observe/metrics.ts'

describe('the metrics', () => {
  it('count by name and labels', () => {
    const metrics = new Metrics()
    metrics.add('pith_turns_total', { reason: 'done' })
    metrics.add('pith_turns_total', { reason: 'done' })
    metrics.add('pith_turns_total', { reason: 'failed', kind: 'x' }, 3)
    metrics.add('pith_messages_total', {}, 5)
    expect(metrics.text({ pith_running: 2 }).split('\n')).toEqual([
      '# HELP pith_turns_total Turns of the agent, by the reason of their end.',
      '# TYPE pith_turns_total counter',
      'pith_turns_total{reason="done"} 2',
      'pith_turns_total{reason="failed",kind="x"} 3',
      '# HELP pith_messages_total Messages that were appended to sessions.',
      '# TYPE pith_messages_total counter',
      'pith_messages_total 5',
      '# HELP pith_running Turns and compactions that run in this process now.',
      '# TYPE pith_running gauge',
      'pith_running 2',
      '',
    ])
  })

  it('replace characters that would break a label', () => {
    const metrics = new Metrics()
    metrics.add('a_total', { path: 'a"b\\c\nd' })
    expect(metrics.text({})).toContain('a_total{path="a_b_c_d"} 1')
  })

  it('put the time of a request into its bucket and all larger ones', () => {
    const metrics = new Metrics()
    metrics.time('pith_request_seconds', { route: '/ready' }, 0.25)
    metrics.time('pith_request_seconds', { route: '/ready' }, 20)
    metrics.time('pith_request_seconds', { route: '/ready' }, 40)
    const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, '+Inf']
    const counts = [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3]
    expect(metrics.text({}).split('\n')).toEqual([
      '# HELP pith_request_seconds Time from a request to the beginning of its answer, by route.',
      '# TYPE pith_request_seconds histogram',
      ...bounds.map((le, i) => `pith_request_seconds_bucket{route="/ready",le="${le}"} ${counts[i]}`),
      'pith_request_seconds_sum{route="/ready"} 60.25',
      'pith_request_seconds_count{route="/ready"} 3',
      '',
    ])
  })
})
