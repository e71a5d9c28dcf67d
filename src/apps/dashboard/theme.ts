/** Colours and shapes of the dashboard. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** The product's green. The documentation and the checkout page use its sixth shade. */
const green: MantineColorsTuple = [
  '#e6f5f0',
  '#d3e9e1',
  '#a5d3c4',
  '#74bba4',
  '#4ca78a',
  '#32997a',
  '#0b6b57',
  '#095f4d',
  '#075242',
  '#044435',
]

/** The library's shades with darker ends, because text in or on them must keep its contrast. */
const orange: MantineColorsTuple = [
  '#fff4e6',
  '#ffe8cc',
  '#ffd8a8',
  '#ffc078',
  '#ffa94d',
  '#ff922b',
  '#b35c00',
  '#9c5206',
  '#924e07',
  '#8a4b08',
]

const gray: MantineColorsTuple = [
  '#f7f6f2',
  '#f0eee8',
  '#e6e3da',
  '#dcd8cd',
  '#cbc6b9',
  '#aaa599',
  '#837f74',
  '#48453e',
  '#34322c',
  '#211f1b',
]

const dark: MantineColorsTuple = [
  '#d3dad7',
  '#b9c2be',
  '#828c88',
  '#67716d',
  '#3c4643',
  '#343d3a',
  '#28302d',
  '#1b2220',
  '#171d1b',
  '#111615',
]

export const theme = createTheme({
  colors: { green, orange, gray, dark },
  primaryColor: 'green',
  primaryShade: 6,
  autoContrast: true,
  fontFamily: 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
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
  light: { '--mantine-color-dimmed': '#56615d', '--mantine-color-placeholder': '#6b7671' },
  dark: { '--mantine-color-dimmed': '#a3b0ab', '--mantine-color-placeholder': '#93a09b' },
})
