/** Values that are given for a scenario's parameters. */

export type ParameterValue = string | number | boolean

/** Values from the command line or the control plane, by name. A text stands for a number where one is wanted. */
export type GivenParameters = Readonly<Record<string, ParameterValue>>
