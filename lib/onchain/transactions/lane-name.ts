/** Names a lane in alarms and in the names of tasks. */
export const laneName = (networkId: number, operator: string): string => `${networkId}:${operator}`
