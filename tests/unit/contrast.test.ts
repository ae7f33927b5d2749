import { expect, test } from 'vitest'
import { accentsOf, contrastOf, readableOn } from '../../lib/core/contrast.ts'

const LIGHT_GROUNDS = ['#ffffff', '#f7faf9', '#edf2f0']
const DARK_GROUNDS = ['#141a19', '#0c1110', '#080c0b']

test('an organization’s colour reads well on every ground of both themes, whatever it is', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff']
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps) {
        const colour = `#${red}${green}${blue}`
        const { light, dark, press, pressInk } = accentsOf(colour)
        expect([press, pressInk]).toEqual([colour, readableOn(colour)])
        for (const ground of [...LIGHT_GROUNDS, light.soft])
          expect(contrastOf(light.strong, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        for (const ground of [...DARK_GROUNDS, dark.soft])
          expect(contrastOf(dark.strong, ground), `${colour} on ${ground}`).toBeGreaterThanOrEqual(4.5)
      }
})

test('a colour that reads well already stays as it is', () => {
  expect(accentsOf('#00594b').light.strong).toBe('#00594b')
  expect(accentsOf('#9fe3d3').dark.strong).toBe('#9fe3d3')
})
