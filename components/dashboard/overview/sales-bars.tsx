'use client'

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { ticksOf } from './ticks'

/** One interval: `value` sets the height of the bar and may be rounded, `text` is exact. */
export type Point = { start: string; label: string; value: number; text: string }

/** Of the axis, at 12 pixels. */
const WIDTH_OF_DIGIT = 7

/** The bars only. They are hidden from assistive technology, since a table shows the same figures. */
export default function SalesBars({ points }: { points: Point[] }) {
  const ticks = ticksOf(points.map(({ value }) => value))
  const longest = Math.max(...ticks.map(({ label }) => label.length))
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart data={points} margin={{ top: 8, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="label"
          tickLine={false}
          axisLine={{ stroke: 'var(--edge)' }}
          tick={{ fill: 'var(--muted)', fontSize: 12 }}
          minTickGap={16}
          interval="equidistantPreserveStart"
        />
        <YAxis
          width={longest * WIDTH_OF_DIGIT + 12}
          domain={[ticks[0]!.at, ticks.at(-1)!.at]}
          ticks={ticks.map(({ at }) => at)}
          interval={0}
          tickLine={false}
          axisLine={false}
          tick={{ fill: 'var(--muted)', fontSize: 12 }}
          tickFormatter={(value: number) => ticks.find(({ at }) => at === value)?.label ?? ''}
        />
        <Tooltip cursor={{ fill: 'var(--well)' }} content={Shown} isAnimationActive={false} />
        <Bar dataKey="value" fill="var(--glass)" radius={[2, 2, 0, 0]} maxBarSize={36} isAnimationActive={false} />
      </BarChart>
    </ResponsiveContainer>
  )
}

type Hovered = { active?: boolean; payload?: readonly { payload?: Point }[] }

function Shown({ active, payload }: Hovered) {
  const point = payload?.[0]?.payload
  if (!active || !point) return null
  return (
    <div className="rounded-md border bg-pane px-3 py-2 text-sm shadow-lift">
      <p className="text-muted">{point.label}</p>
      <p className="font-medium tabular-nums">{point.text}</p>
    </div>
  )
}
