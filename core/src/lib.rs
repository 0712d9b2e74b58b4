//! tooltest core
