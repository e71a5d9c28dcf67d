/** Values that are given for a scenario's parameters. */

export type ParameterValue = string | number | boolean

/**
 * By name, from the command line or the control plane. A numeric text is accepted for a number, because flags are text.
 */
export type GivenParameters = Readonly<Record<string, ParameterValue>>
