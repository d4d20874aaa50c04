import { describe, expect, it } from 'vitest'
import { spread } from '../../bench/harness/plot/spread.ts'
import { svgPlot } from '../../bench/harness/plot/svg-plot.ts'
import { axisScale } from '../../bench/harness/plot/svg-scale.ts'

describe('an axis', () => {
  it('gives every tenfold the same length when it is logarithmic', () => {
    const { at, ticks } = axisScale({ label: '', scale: 'log' }, [1, 10, 1_000], [0, 300])
    expect([1, 10, 100, 1_000].map((value) => Math.round(at(value)))).toEqual([0, 100, 200, 300])
    expect(ticks.map(({ text }) => text)).toEqual(['1', '10', '100', '1000'])
  })

  it('begins at 0 when it is linear, and names round numbers', () => {
    const { at, ticks } = axisScale({ label: '' }, [30, 97], [400, 0])
    expect(ticks.map(({ value }) => value)).toEqual([0, 20, 40, 60, 80, 100])
    expect([0, 50, 100].map(at)).toEqual([400, 200, 0])
  })

  it('puts what a logarithm cannot show at its low end', () => {
    expect(axisScale({ label: '', scale: 'log' }, [0, 1, 100], [0, 100]).at(0)).toBe(0)
  })
})

describe('names beside lines', () => {
  it('are apart, in the order of their lines, within the picture', () => {
    expect(spread([50, 52, 10], 15, [0, 100])).toEqual([50, 65, 10])
    expect(spread([99, 100], 15, [0, 100])).toEqual([85, 100])
  })
})

describe('a plot', () => {
  it('draws every line with its name, and escapes what SVG would take for its own', () => {
    const lines = [
      {
        label: 'a < b & c',
        points: [
          [1, 1],
          [2, 4],
        ] as const,
      },
      { label: 'none', points: [] },
    ]
    const svg = svgPlot({ name: 'x', title: 'T', x: { label: 'messages' }, y: { label: 'ms' }, lines })
    expect(svg.match(/<polyline/g)).toHaveLength(1)
    expect(svg).toContain('a &lt; b &amp; c')
    expect(svg).not.toContain('NaN')
  })
})
