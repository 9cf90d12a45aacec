//! Provides the table that DataFusion queries.

use crate::split::{Part, split};
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use tobu::MessageDescriptor;
use tobu_arrow::source::{Delimited, Source};
use tobu_arrow::{Batcher, Columns, Options};

/// A table of the messages in a file, or in all files of a directory. Each message is a row.
#[derive(Debug)]
pub struct ProtobufTable {
    path: PathBuf,
    columns: Columns,
    part: u64,
    skip_bad: bool,
    progress: Progress,
    /// For the path of each file that was split: the size of the file at that time, and its parts.
    known: Mutex<HashMap<PathBuf, (u64, Vec<Part>)>>,
}

/// The progress of all scans of a table, for example for a progress bar. A clone shows the same counts as the original.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    total: AtomicU64,
    read: AtomicU64,
    messages: AtomicU64,
    bad: AtomicU64,
}

impl Progress {
    /// Returns the number of bytes in all parts of all scans planned so far, whether they were read already or not.
    pub fn total(&self) -> u64 {
        self.0.total.load(Ordering::Relaxed)
    }

    /// Returns how many bytes the scans have read.
    pub fn read(&self) -> u64 {
        self.0.read.load(Ordering::Relaxed)
    }

    /// Returns how many messages the scans have read.
    pub fn messages(&self) -> u64 {
        self.0.messages.load(Ordering::Relaxed)
    }

    /// Returns how many messages the scans have skipped because they are malformed.
    pub fn bad(&self) -> u64 {
        self.0.bad.load(Ordering::Relaxed)
    }
}

impl ProtobufTable {
    /// Creates a table of the messages in a file, or in all files of a directory whose names do not begin with a dot. The table
    /// has a column for each field.
    ///
    /// # Errors
    /// The fields cannot become columns: see [`Options`].
    pub fn new(path: impl Into<PathBuf>, descriptor: &MessageDescriptor) -> tobu::Result<Self> {
        Self::with_options(path, descriptor, Options::new())
    }

    /// Creates a table whose columns depend on `options`.
    ///
    /// # Errors
    /// The fields cannot become columns: see [`Options`].
    pub fn with_options(
        path: impl Into<PathBuf>,
        descriptor: &MessageDescriptor,
        options: Options,
    ) -> tobu::Result<Self> {
        Ok(ProtobufTable {
            path: path.into(),
            columns: options.columns(descriptor)?,
            part: 64 << 20,
            skip_bad: false,
            progress: Progress::default(),
            known: Mutex::default(),
        })
    }

    /// Sets the minimum size of the parts into which files are split; 64 MiB by default.
    #[must_use]
    pub fn part_size(self, bytes: u64) -> Self {
        ProtobufTable { part: bytes.max(1), ..self }
    }

    /// Skips malformed messages, and [counts](Progress::bad) them. By default, a query fails at the first malformed message.
    #[must_use]
    pub fn skip_bad(self, yes: bool) -> Self {
        ProtobufTable { skip_bad: yes, ..self }
    }

    /// Returns the progress of the scans of this table.
    pub fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// Returns the parts of all files, in the order of the names of the files.
    fn parts(&self) -> std::io::Result<Vec<Part>> {
        let mut parts = Vec::new();
        for (path, len) in files(&self.path)? {
            let known = self.known.lock().ok().and_then(|known| known.get(&path).cloned());
            let found = match known {
                Some((size, parts)) if size == len => parts,
                _ => {
                    let found = split(&path, self.part)?;
                    if let Ok(mut known) = self.known.lock() {
                        known.insert(path.clone(), (len, found.clone()));
                    }
                    found
                }
            };
            parts.extend(found);
        }
        Ok(parts)
    }
}

/// Returns the files of a directory with their sizes, without files whose names begin with a dot. If `path` is a file, returns
/// this file.
fn files(path: &Path) -> std::io::Result<Vec<(PathBuf, u64)>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_dir() {
        return Ok(vec![(path.to_owned(), metadata.len())]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let metadata = fs::metadata(entry.path())?;
        if metadata.is_file() && !entry.file_name().to_string_lossy().starts_with('.') {
            files.push((entry.path(), metadata.len()));
        }
    }
    files.sort();
    Ok(files)
}

/// Distributes the parts over at most `most` partitions of about equal size. The order of the parts does not change.
fn partitions(parts: Vec<Part>, most: usize) -> Vec<Vec<Part>> {
    let total: u64 = parts.iter().map(|part| part.end - part.start).sum();
    let each = total.div_ceil(most.max(1) as u64).max(1);
    let (mut all, mut size) = (vec![Vec::new()], 0);
    for part in parts {
        if size >= each && all.len() < most {
            all.push(Vec::new());
            size = 0;
        }
        size += part.end - part.start;
        all.last_mut().into_iter().for_each(|last| last.push(part.clone()));
    }
    all
}

#[async_trait]
impl TableProvider for ProtobufTable {
    fn schema(&self) -> SchemaRef {
        self.columns.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let columns = match projection {
            None => self.columns.clone(),
            Some(indices) => self.columns.project(indices).map_err(external)?,
        };
        let parts = self.parts()?;
        let total: u64 = parts.iter().map(|part| part.end - part.start).sum();
        self.progress.0.total.fetch_add(total, Ordering::Relaxed);
        let batch = state.config().batch_size();
        let scan = |parts| {
            Arc::new(Scan {
                parts,
                schema: columns.schema(),
                columns: columns.clone(),
                rows: limit.map_or(batch, |limit| batch.min(limit.max(1))),
                skip_bad: self.skip_bad,
                progress: self.progress.clone(),
            }) as Arc<dyn PartitionStream>
        };
        let scans = partitions(parts, state.config().target_partitions()).into_iter().map(scan).collect();
        // The decoder returns the columns in the order of the schema. The query may need another order.
        let order = projection.map(|indices| positions(indices));
        let plan = StreamingTableExec::try_new(columns.schema(), scans, order.as_ref(), [], false, limit)?;
        Ok(Arc::new(plan))
    }
}

/// Returns, for each of the `indices`, its position in the sorted list of all indices without duplicates.
fn positions(indices: &[usize]) -> Vec<usize> {
    let mut sorted = indices.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    indices.iter().map(|index| sorted.binary_search(index).unwrap_or(0)).collect()
}

/// Some parts of files, which one thread reads.
#[derive(Debug)]
struct Scan {
    parts: Vec<Part>,
    schema: SchemaRef,
    columns: Columns,
    rows: usize,
    skip_bad: bool,
    progress: Progress,
}

impl PartitionStream for Scan {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, _: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema.clone(), 2);
        let sender = builder.tx();
        let (parts, rows, skip_bad) = (self.parts.clone(), self.rows, self.skip_bad);
        let (columns, progress) = (self.columns.clone(), self.progress.clone());
        builder.spawn_blocking(move || {
            let mut batcher = Batcher::new(&columns).rows(rows);
            if skip_bad {
                batcher = batcher.skip_bad(0);
            }
            for part in parts {
                // The receiver closes the channel when the limit of the query is reached, so the rest need not be read.
                if !read(&part, &mut batcher, &progress, |batch| sender.blocking_send(Ok(batch)).is_ok())? {
                    return Ok(());
                }
            }
            if let Some(batch) = batcher.finish().map_err(external)? {
                let _ = sender.blocking_send(Ok(batch));
            }
            Ok(())
        });
        builder.build()
    }
}

fn external(error: tobu::Error) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}

/// Reads one part of a file. Returns false if the receiver does not want more batches.
fn read(
    part: &Part,
    batcher: &mut Batcher,
    progress: &Progress,
    mut send: impl FnMut(datafusion::arrow::array::RecordBatch) -> bool,
) -> Result<bool> {
    let named = |error: &dyn std::fmt::Display| {
        DataFusionError::External(format!("{}: {error}", part.path.display()).into())
    };
    let mut file = File::open(&part.path)?;
    file.seek(SeekFrom::Start(part.start))?;
    let mut source = Delimited::at(file.take(part.end - part.start), part.start);
    let (mut counted, mut messages, mut bad) = (part.start, 0, batcher.bad_count());
    let mut count = |position: u64, messages: &mut u64, bad_count: u64| {
        progress.0.read.fetch_add(position - counted, Ordering::Relaxed);
        progress.0.messages.fetch_add(std::mem::take(messages), Ordering::Relaxed);
        progress.0.bad.fetch_add(bad_count - bad, Ordering::Relaxed);
        (counted, bad) = (position, bad_count);
    };
    loop {
        let full = match source.next().map_err(|error| named(&error))? {
            None => break,
            Some(message) => batcher.push_at(message.bytes(), message.position().unwrap_or(0)),
        };
        messages += 1;
        if let Some(batch) = full.map_err(|error| named(&error))? {
            count(source.position(), &mut messages, batcher.bad_count());
            if !send(batch) {
                return Ok(false);
            }
        }
    }
    count(part.end, &mut messages, batcher.bad_count());
    Ok(true)
}
