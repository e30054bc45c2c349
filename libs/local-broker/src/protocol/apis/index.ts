export { alterConfigs, incrementalAlterConfigs, describeConfigs } from './configs';
export { apiVersions, metadata } from './cluster';
export { createPartitions, createTopics, deleteRecords, deleteTopics } from './topics';
export { deleteGroups, describeGroups, listGroups } from './groups';
export { fetch } from './fetch';
export { findCoordinator, heartbeat, joinGroup, leaveGroup, syncGroup } from './membership';
export { initProducerId, produce } from './produce';
export { listOffsets, offsetCommit, offsetFetch } from './offsets';
