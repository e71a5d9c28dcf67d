import { type CSSVariablesResolver, colorsTuple, createTheme } from '@mantine/core'
import { colours, monoFamily, sansFamily } from '../../inspect/report-document.ts'

const green = colorsTuple(
  `#e6f5f0 #d3e9e1 #a5d3c4 #74bba4 #4ca78a #32997a ${colours.accent[0]} #095f4d #075242 #044435`.split(' '),
)

/** The library's shades with darker ends, because text in or on them must keep its contrast. */
const orange = colorsTuple('#fff4e6 #ffe8cc #ffd8a8 #ffc078 #ffa94d #ff922b #b35c00 #9c5206 #924e07 #8a4b08'.split(' '))
const gray = colorsTuple('#f7f6f2 #f0eee8 #e6e3da #dcd8cd #cbc6b9 #aaa599 #837f74 #48453e #34322c #211f1b'.split(' '))
const dark = colorsTuple('#d3dad7 #b9c2be #828c88 #67716d #3c4643 #343d3a #28302d #1b2220 #171d1b #111615'.split(' '))

export const theme = createTheme({
  colors: { green, orange, gray, dark },
  primaryColor: 'green',
  primaryShade: 6,
  autoContrast: true,
  respectReducedMotion: true,
  fontFamily: sansFamily,
  fontFamilyMonospace: monoFamily,
  defaultRadius: 'md',
  headings: { fontWeight: '650' },
  components: {
    Badge: { defaultProps: { tt: 'none' } },
    // Links are as large as the text that they stand in.
    Anchor: { defaultProps: { inherit: true } },
    Accordion: { styles: { label: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 600 } } },
  },
})

/** The library's quiet text has too little contrast; this keeps 4.5 : 1. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': colours.soft[0], '--mantine-color-placeholder': '#6b7671', ...surfaces(0) },
  dark: { '--mantine-color-dimmed': colours.soft[1], '--mantine-color-placeholder': '#93a09b', ...surfaces(1) },
})

const tones = { red: 'bad', green: 'good', orange: 'open', yellow: 'open', blue: 'info' } as const

function surfaces(theme: 0 | 1) {
  const states = Object.entries(tones).flatMap(([name, tone]) => [
    [`--mantine-color-${name}-light`, colours[`${tone}-wash`][theme]],
    [`--mantine-color-${name}-light-color`, colours[tone][theme]],
  ])
  return { '--paper': colours.paper[theme], '--code': colours.code[theme], ...Object.fromEntries(states) }
}
